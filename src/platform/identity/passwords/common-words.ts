/**
 * Parts of the most used passwords in published breaches, in lower case and without digits and marks: words, names, teams,
 * brands and key sequences. The source is cracking word lists, not a dictionary.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `pass passw password passwords passwort passphrase passcode passwd motdepasse contrasena contraseña parola wachtwoord
  heslo haslo jelszo salasana senha sifre mypassword mypass newpassword nopassword yourpassword pw pwd
  admin administrator administrador root user username login logon guest default changeme change letmein letmeinnow
  welcome welcometo secret secrets secreto private access master manager support service server system sysadmin computer
  laptop internet network windows linux ubuntu oracle mysql postgres database backup office company business demo
  test tester testing testtest temp temporary sample example public hello hallo hellohello hi hey helloworld bonjour hola
  ciao salut namaste goodbye please thanks thankyou sorry whatever nothing something anything everything nobody
  love lovely lover loveme loveyou iloveyou iloveu iloveme ilove iluvu iloveher iloveyousomuch teamo jetaime ichliebedich
  tiamo loveless lovelove mylove truelove baby babygirl babyboy babe honey sweet sweetie sweetheart sweety darling angel
  angels princess prince princesa queen king kings queens beautiful pretty gorgeous cutie lucky happy smile sunshine
  sunflower sunset sunrise rainbow butterfly flower flowers rose roses lily daisy jasmine violet
  monkey dragon tiger lion tigers lions eagle eagles bear bears wolf wolves panther panthers falcon falcons hawk hawks
  dolphin dolphins elephant giraffe rabbit bunny kitty kitten hellokitty cat cats dog dogs puppy doggy horse horses pony
  bird chicken turtle spider scorpion snake shark fish snoopy garfield mickey minnie donald pluto
  football soccer baseball basketball hockey tennis golf golfer volleyball softball cricket rugby cheer cheerleader
  swimming skate skater skateboard surfing snowboard karate dance dancer dancing runner
  liverpool liverpoolfc arsenal chelsea chelseafc manchester manutd manunited everton tottenham barcelona realmadrid
  juventus milan intermilan benfica porto bayern dortmund schalke ajax feyenoord psg celtic rangers yankees redsox
  cowboys steelers packers raiders lakers celtics bulls dodgers giants patriots broncos warriors
  michael jordan robert daniel andrew joshua matthew george hunter thomas david james john william richard charles
  joseph christopher anthony brandon justin kevin brian jason jeremy steven nicholas alexander alexandra alexandre alejandro
  alex benjamin patrick samuel sammy jackson jack peter paul mark martin marcus carlos jose juan miguel luis antonio
  fernando francisco roberto eduardo ricardo daniela gabriel gabriela rafael mohammed muhammad ahmed ali hassan omar
  charlie charles harry henry oliver oscar max buddy rocky bailey buster ginger cookie pepper shadow smokey lucky
  jessica jennifer amanda ashley nicole michelle samantha stephanie melissa elizabeth victoria vanessa natasha natalie
  angela angelina andrea maria mariana martina marina carolina christina cristina katherine catherine karina laura lauren
  linda lisa sarah sara anna annie hannah emma emily olivia sophie sophia isabella isabelle julia juliana julie claudia
  sandra monica veronica valentina camila paola patricia barbara diana nathalie rebecca rachel danielle heather tiffany
  brittany amber megan taylor chloe charlotte alicia alice
  superman batman spiderman ironman wonderwoman superstar rockstar hero heroes ninja samurai warrior knight viking
  pirate cowboy maverick phoenix wizard merlin gandalf legolas frodo matrix trustno starwars startrek skywalker vader
  yoda jedi pokemon pikachu charizard naruto sasuke goku dragonball onepiece sonic mario zelda link minecraft roblox
  fortnite counterstrike warcraft starcraft diablo halo xbox playstation nintendo gamer gaming games
  metallica nirvana slipknot eminem tupac beatles elvis madonna rihanna beyonce blink greenday linkinpark ironmaiden
  acdc slayer music guitar piano drummer rocknroll hiphop
  ferrari porsche mercedes lamborghini bmw audi toyota honda yamaha suzuki kawasaki harley corvette mustang camaro
  chevrolet chevy ford nissan subaru volvo jaguar bugatti racing nascar
  google facebook linkedin instagram twitter youtube yahoo gmail hotmail myspace amazon apple microsoft samsung nokia
  iphone android netflix spotify discord snapchat tiktok whatsapp paypal adobe photoshop
  money dollar dollars cash rich million millionaire bitcoin crypto casino poker lottery
  summer winter spring autumn january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday birthday christmas halloween holiday vacation weekend
  red blue green yellow orange purple pink black white silver gold golden brown blackcat bluesky
  america american canada mexico brazil brasil argentina colombia england london paris france germany deutschland berlin
  hamburg spain espana madrid italy italia roma russia moscow china india pakistan turkey istanbul galatasaray fenerbahce
  besiktas japan tokyo africa nigeria egypt australia sydney texas dallas houston chicago boston newyork brooklyn
  florida miami california losangeles vegas lasvegas hawaii
  jesus jesuschrist christ god godisgood godbless blessed blessing faith heaven bible allah islam buddha krishna ganesh
  freedom forever family friend friends friendship mother father mommy daddy mother mama mom dad brother sister
  familia amigos amistad together always never dreams dream dreamer peace hope justice power strong killer
  chocolate cheese banana apple apples strawberry cherry peaches pumpkin coffee cocacola pepsi whiskey vodka heineken
  budweiser marlboro pizza hamburger peanut candy sugar cupcake icecream
  blahblah asdf asd qwe qwer qwert qwerty qwertz azerty zxc zxcv zxcvb qaz qazwsx qweasd qweasdzxc qazwsxedc wasd abc abcd abcde
  abcdef qwaszx poiuyt lkjhgf mnbvcxz zaq zaqwsx xsw aaa xxx zzz
  princess sexy sexygirl sexybitch bitch fuck fuckyou fuckoff fucker asshole shit pussy dick bigdick boobs
  mother mustang cowboy midnight moonlight stardust thunder lightning storm hurricane fire ice water ocean beach
  diamond crystal emerald galaxy universe genius einstein newton student teacher school college university
  internet explorer firefox chrome cisco juniper security secure topsecret letme enter open sesame opensesame
  unknown undefined null none trust nothing alpha bravo omega delta zero one two three`.split(/\s+/),
);

export const LONGEST_WORD = Math.max(...[...COMMON_WORDS].map((word) => word.length));

/** Breached passwords that no rule detects: pairs of keys, and alternating letters and digits. */
export const COMMON_PATTERNS: ReadonlySet<string> = new Set(
  `q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 z1x2c3v4 1a2b3c4d 1a2s3d4f 1z2x3c4v p0o9i8u7 ab12cd34 aa12bb34
  1qazxsw2 zaq12wsx zaq1xsw2 qwe123asd asd123qwe a123b456 love4ever 2good4you me4ever u2fan01 rush2112 ncc1701d ncc1701e
  blink182blink trustno1trustno1 g00dpa55w0rd`.split(/\s+/),
);

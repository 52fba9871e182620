/**
 * Names and places by language, none of them in the samples that the detection of encodings is made of. Most are from the
 * locales of @faker-js/faker (MIT).
 */
export const NAMES = {
  cs: 'Zavadilová Kubátová Liberecký Kusá Harfě Slapská Žídková Krabošická Dolnobřežanská Holohlavská Rozšířená Těšínská Chabeřická Záložnou Štítová Radúzova Panská Libčická Rošických Zábradlí Holeček Sychrově Vodárnou Předvoje Lásenická Janík Ježkova Jonáš Lounská Hradecký Spádná Světluše Zvonická Zatáčkou Remízku Spáčilová Libeřská Průchové Němečková Luhačovice',
  sk: 'Šimonovič Dočolomanský Poštová Janoška Strážnická Ivánska Melcerová Brezovská Jedlíkova Topľou Debnár Sekulská Kolmá Pavlikovský vŕšku Karloveské Levoča Javorová Rybárová Valentín Kláštorská Gorkého Borodáčova Boška Bočná Radúz Peterská Mečiarová Dubovská Slnečná Konventná Kresánkova Tučkova Sámelová Čečinová Dunajská Kyjevská Martinčekova Pupáková Lukáčová',
  pl: 'Lubaczów Andżelika Szydłowski Prószków Płońsk Chorzów Żuk Grodków Różański Trzciński Stryków Szeląg Odrzańskie Cieśla Świebodzin Miłosław Człuchów Kuciński Sławków Słowik Muszyński Dębica Poręba Żebrowski Róża Chełm Góral Żory Szcześniak Odrą Krośniewice Wałcz Tomyśl Złotów Rudziński Niedźwiecki Gostyń Błaszki Radomyśl Grójec',
  hu: 'Varsád Sáska Kurityán Újiráz Izmény Monostorapáti Tiszamogyorós Kiskunlacháza Győrság Répcelak Tormafölde Telkibánya Bükkzsérc Drávasztára Győrzámoly Kovács Bedegkér Okorág Szálka Dorogháza Mátranovák Felsővadász Csajág Nagyhalász Nyírbátor Újpetre Tuzsér Drávaszerdahely Padár Balatonszárszó Szátok Győrasszonyfa Gégény Pátka Bakonyszentkirály Szilvágy Hejőkeresztúr Felsőegerszeg Nagymányok Kisújszállás',
  ro: 'Borşa Săliştea Bucureşti Făurei Letiţia Sebeş Luduş Steluţa Comăneşti Criş Oneşti Codruţa Mică Iaşi Rareş Răcari Băi Nataşa Sălişte Lică Mălina Călin Genţiana Buşteni Câmpeni Călăraşi Anişoara Pătru Săveni Vicenţiu Brăduţ Gică Vicenţia',
  hr: 'Kolundžić Karać Paradžika Lemajić Kurtović Jaše Končar Žagar Markuš Čizmar Janeković Pačariz Aljančić Opricović BarbarićŠehić Drač Anči Ljevnaić Buača Drašković Valjavčeva Bihaćka Mlađenović Stanivuković Kuhača Bivolarević Domiševac nabrežje Radušić Komadinić Odobašić Šulhof Đelošević Tomaš Cvijanović Jagušić Simurdić Tepić Draganović Kudeljaš',
  tr: 'Bıçkıcı Bekeçtegin Bozkuş Hüma Afşin Boyacı İmran Dalkıran Zülal Aşanboğa Işıner Çiler Ümmiye Şükrü Sağlık Gülhan Sıdkı Karadaş Erinç Taşlı Songül Ilıcalı Balıkesir Çakır Dağdaş İrem Alkabölük Türkeş Asığ Ercüment Aladoğan Öztürk Adıkutlu Barbarosoğlu Aşıkoğlu Altankağan Eyşan Aydoğan Çağıl Altıntay',
  lv: 'Pēteris Valērija Bajāre Lejiņš Laiviņš Šteins Valdemārs Meškūns Līce Kļaviņa Liliāna Puķīte Lejiņa Jūlija Emīls Astrīda Regīna Mārcis Leonīds Līdaka Viļāni Lāce Seržante Zībers Alūksne Baloži Pridāne Jumiķis Judīte Māra Gailīte Aknīste Vītuma Diāna Trīne Kalējs Lapiņš Deģis Lodiņš Ģederts',
  lt: 'Nausėda Čiurlionis Mažylė Adomėnas Donelaitis Kiškis Mažvydas Krėvė Šimonytė Šedbaras Bukauskaitė Žalgiris Šerkšnytė Valančius Vėbraitė',
  is: 'Ólafsvík Ægisson Aðalsteinn Birgisdóttir Guðjónsson Jökull Málfríður Vigdís Oddný Njarðvík Ragnhildarson Sturluson Þorgerður Hafþór Hörður',
  de: 'Wüste Klösterchen Sürth Löns Schönherr Tür Günz Thüringen Köpenicker Wüstenhof Küchenhof Prüß Rosenhügel Göhler Weinhäuser Büchelter Bönisch Lenné Schönfeld Gänger Glücksburger Möller Kühn Kühnel Bürgerbuschweg Höhenstr Bär Wünsche Hürth Stöwer Wäsche Schäning Kühnke Träger Kämpchen Höft Rößler Küche Jüch Schönebeck',
  fr: 'Moïse Palémon Valère Philothée Zéphirin Céleste Marlène Astarté Émérance Gérin Mélanie Léonne Mégane Zaché Anaël Bartimée Léa Émérencie Mélisande Adélie Hôtel Amédée André Aimé Médéric Arsène Thaïs Renée Anaëlle Sète Alençon Céline Éric Élise Mère Nadège Émilie Séraphin Albérade Dorothée',
  es: 'Germán Región Rentería Sánchez Cintrón Treviño Valentín Cortés Cerdañola Castellón Dueñas Rendón Marín Sáenz Montaño Munguía Araña Rolón Güell Avilés Lérida Irún Marilú Bolaños Alcalá Gálvez Negrón Berríos Montañez Ávalos Limón Urías Mondragón Chavarría Verónica Gandía Barragán Ángela Mónica Rincón',
  da: 'Østergade vær Taarbæk Jægervej Østre Ø bø Strøby Korsør Køge Møn Sorø Hørning Nørregade øy Brørup Bjørn Lillerød Søren Farsø Åge Bø Østervang Røst Gård Kærvej Bækken Rævevej Møre våg',
  pt: 'Simão Célia Constança Mário Luísa Íris Fiães São Leça Graça Lívia Eça Açores Alícia Dão Paços',
  ru: 'Соболева Игарка Прокофий Лобанова Чайковский Курумкан Абакан Всеволожск Сазонов Филатова Жданова Пахомова Ульяновская Синклитикия Беляев Фоминск Марина Шенкурск Лотошино Листвянка Алексеев Афанасий Верхоянск Зыков Иларион Маслов Любомир Владимирова Северодвинск Шамары Исакова Михаил Трофим Аристарх Краснодар Белореченск Уральский Мишина Ширяев Нонна',
  uk: 'Роксолан Бурмило Віктор Ірма Янюк Корнилій Любава Захарій Станіслав Брячислав Мальва Велемир Денис Ящук Марієвський Пономарів Олелько Божен Краматорськ Долеслава Люборада Довгалевська Борочко Стигайло Аврелія Ростислава Пригода Афанасій Ломова Кононець Федоришина Соня Устим Василь Івано Сідлецька Роменець Луч Далемир Линдик',
  bg: 'Янкова Борисов Русева Радев Жечев Ананиев Момчилова Костадинов Кънчев Богданова Рашков Караиванова Щерева Златев Ковачева',
  el: 'Τσιτσιπάς Τριανταφύλλου Ζωγράφου Φραγκούλης Χαραλάμπους Στεφανίδου Παπασταύρου Σακελλαροπούλου Ηλιόπουλος Μουσταΐρας Αναστασίου Δραγασάκης Μπουζούκης Ρουμελιώτης Μαρινάκης',
  he: 'אריאב חלד זאבי יחיאל חבר יער לב יושיביה רמות סירקין אראל תמוז טלשיר ירק עין יתיר ליאל איל אביטל ויויאן עובדיה נאביב חמה להבים דר רווה קדמון הערבה רביד אליאור רוני ענת ברא פרח מזרעה החותרים שוער לוי עופרי כנא',
  ar: 'فاس وادان نعيم دل جرش ناهید عرابة آنوشا باسم أليف جابان منصف شایسته سایه مهر آ مهرزاده كربلاء میترا ریبار فتحي فروتن بودوارة شیرزاد مظفر سولان قبلي مهتاب لهراسب آزاده زری مانوش غانم فربد حازم وحید مهدیار النبطية پریچهر ملک',
  th: 'นัณธพงศ์ เปมนีย์ สายชล ณัฏฐ์รดา ณรงค์ฤทธิ์ พาหุรัด เดชาวัฒน์ วัดใหม่เจริญราษฎร์ สังคมสงเคราะห์ สวนผัก สัจจธรรม อนุวงศ์ ภัทรสุดา หนองระแหง นสิตา บึงขวาง บางระมาด วินิจ มหาพฤฒาราม ไกรสีห์ มณทิญา เรวดี แปลงนาม แปลก โซรายา สุรวงศ์ อัทธสิทธิ์ นิรชา พชรมน จินดาพล ธนภัทร พาดีล๊ะ นครลุง สิตารัตน์ ธัญย์ชนก บางกระดี่ เจียวค้างพลู ธนฉัตร อณิษา สิรีธร',
  vi: 'Dầu Nhân Đình Bạch Tuyết Hưởng Toản Duyệt Thọ Trụ Cà Hạo Hãn Huyền Duyên Huệ Đông Nhàn Liêu Tàu Tuyến Đàn Đạt Tuyển Hóa Sâm Điệp Án Chương Vịnh Cương Kỳ Lắk Tụ Buôn Tăng Vũng Hiếu Thạch Năng',
  ja: '中沢 京子 菅野 石田 徳永 宮本 田辺 横山 菅原 横田 新 敏子 亮 池田 飯島 今村 結衣 金城 奥田 一郎 平松 宮内 森山 秀雄 及川 園田 剛 あゆみ 石山 榊原 愛美 茂 ゆかり 丹羽 裕子 千尋 福島 康平 区 麻衣子',
  zh: '南市 敬彪 廖 陆家嘴路 翟 一全 成 交通路 保卫路 晋鹏 河北省 熠彤 天津市 莫 沈阳 乡县 包 邱 人民街 国兰 邓 丽芳 海口 胡 呼和浩特 浩然 洁 思源 于 武汉 沐辰 立果 莲花路 都市 欧阳 江西省 辉南路 清华路 宋 卢',
  tw: '健雄 鵬煊 明哲 程 吳 博文 陳 何 任 皓軒 語堂 王 福建省 峻熙 蔡 君浩 曹 沈 邱 立輝 浩然 修傑 鑫磊 高 偉宸 嘉熙 賈 白 苑博 志澤 紹齊 張 台灣省 智宸 馮 耀傑 梓晨 浩軒 志強 建輝',
  ko: '예 희원 시후 유빈 민수 강 제 지한 단우 도희 도진 고 정 가현 재준 단비 하엘 재은 은 도준 우영 태훈 민영 나린 세훈 송파 예지 예인 제이 진혁 재우 준형 경민 다은 다율 새봄 민주 지효 연준 지율',
} as const;

export type Language = keyof typeof NAMES;

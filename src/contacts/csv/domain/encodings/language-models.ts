/** The probability of words of a language, from its pairs of letters. */
export class LanguageModel {
  private readonly pairs = new Map<string, number>();
  private readonly letters = new Map<string, number>();
  private total = 0;

  /** @param words in lower case, separated by spaces. */
  constructor(words: string) {
    for (const word of words.split(' ')) this.learn(word);
  }

  /** Natural logarithm of the probability of a word. @param word in lower case. */
  score(word: string): number {
    let score = 0;
    let before = BORDER;
    for (const letter of `${word}${BORDER}`) {
      score += Math.log(this.probability(before, letter));
      before = letter;
    }
    return score;
  }

  private learn(word: string): void {
    let before = BORDER;
    for (const letter of `${word}${BORDER}`) {
      count(this.pairs, before + letter);
      count(this.letters, letter);
      this.total += 1;
      before = letter;
    }
  }

  /** The probability of unseen pairs is that of the second letter (additive smoothing with a unigram prior). */
  private probability(before: string, letter: string): number {
    const alone = (1 - UNKNOWN) * ((this.letters.get(letter) ?? 0) / this.total) + UNKNOWN;
    const follows = this.letters.get(before) ?? 0;
    return ((this.pairs.get(before + letter) ?? 0) + PRIOR * alone) / (follows + PRIOR);
  }
}

const BORDER = ' ';
/** Weight of the unigram, in observations. */
const PRIOR = 10;
/** Probability of a letter that the language does not have: names come from all languages. */
const UNKNOWN = 2e-6;

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The most common characters of names, places and companies of each language, in descending frequency. */
const HAN = {
  zh: '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红建国海波宁贵福生龙元全学祥才发武新利清飞彬富顺信子胜光天达安岩中茂进有坚和彪博诚先敬震振壮会思群豪心邦承乐绍功松善厚庆民友裕河哲亮政谦亨奇固之轮翰朗伯宏言若鸣朋斌栋维启克伦翔旭鹏泽晨辰士以家致树炎德行时泰盛雄琛钧冠策腾楠榕风航弘义兴良山仁宝路街市省南大轩东梓浩州道宇治北立京门长湖自区源然智烨琪晶欣佳嘉琼勤珍贞莉兰凤洁梅琳素云莲环雪荣爱妹香月莺媛瑞凡姓名电话手机邮箱地址公司部门职务备注联系人有限责任科技集团号楼室县镇村乡的是不了在人我这个们来上到说要就出得也你对可能过小多用成作',
  tw: '陳林黃張李王吳劉蔡楊許鄭謝郭洪曾邱廖賴周徐蘇葉莊呂江何蕭羅高潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓馬阮董唐溫藍蔣石古紀姚連馮歐程湯黑田康姜白汪尤巫鐘涂龔志明建家偉文俊淑美玉雅惠秀麗華英芬芳如婷珍怡君玲宏豪榮國正雄信義德仁昌成清宗輝龍賢冠宇承翰哲軒柏廷智子瑋博凱維彥儒瑞祥永慶安心思欣宜佳蓉慧敏雯琪萱穎涵瑜嘉靜月桂素貞鳳春梅蘭香珠台北市新竹縣區路街段號樓巷弄鄉鎮村里中山東西南高雄桃園基隆嘉屏宜蓮花澎湖金門股份有限公司姓名電話手機電子郵件地址職稱備註部門聯絡人科技實業企業集團的是不了在人我這個們來上到說要就出得也你對可能過小多用作大天地日本生學會發長時',
  ja: '田中山佐藤鈴木高橋渡辺伊小林加吉村井松本野斎清上口原崎石岡島川大子県市区町丁目番地東京都府西北南三谷沢太宮平陽森福優愛正内一翔雄下奈千和結悠竹永海久花菜也堀塚岩香恵昭智浩由真斗樹新武尾坂城安部根瀬杉黒金衣代彩心直月健二今古奥柳池岸河浅青ンーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワガギグゲゴザジズゼゾダデドバビブベボパピプペポャュョッみあいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽゃゅょっ勝良々紀明日桜麻男輝郎拓颯浦保泉江葉賀土富笠広徳横水片馬神秋稲篠荒菅関飯葵佳八重咲幸弘莉成早織洋音羽裕静亮博之夫介貴人秀空茂豊辰達陸向間倉児玉出前多場寺澤手戸星栗合浜熊白相矢米細菊須光典夏友君啓孝乃春悦敏文未来杏栄楓照玲理琴百純絵穂舞芳依里順修剛功勇利輔雅学実氏名姓電話番号住所会社株式有限部署役職備考携帯郵便国際商事工業製作所建設開発営業総務課長社取締役',
  ko: '김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민진지나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부가동철수영호준훈재상희숙자미순혜은지민서윤하시연태율승빈건우찬리혁라온후산규효역솔환특별단북치로보슬해대완형울창람비엘봄담림음운결범종당목포충청늘을솜루새름겸욱헌요든웅간갈감견두류박복본읍면동구군시도길번지호층주식회사유한책임이름성명전화번호휴대폰주소회사부서직책메모이메일팀장과장부장대리사원개발영업총무인사기획의를에는가와과들다고한것수있하않',
} as const;

export type HanLanguage = keyof typeof HAN;

/** The probability of single characters of a language without an alphabet. */
export class HanModel {
  private readonly common = new Map<string, number>();

  constructor(
    language: HanLanguage,
    /** Characters of the first level of the encoding's standard: the common ones. */
    private readonly everyday: ReadonlySet<string>,
  ) {
    const ranked = [...new Set(HAN[language])];
    const weights = ranked.map((_, rank) => 1 / (rank + FLAT));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    ranked.forEach((character, rank) => this.common.set(character, (COMMON * (weights[rank] ?? 0)) / sum));
  }

  /** Natural logarithm of the probability of a text of such characters. */
  score(text: string): number {
    let score = 0;
    for (const character of text) score += Math.log(this.probability(character));
    return score;
  }

  private probability(character: string): number {
    const common = this.common.get(character) ?? 0;
    const everyday = this.everyday.has(character) ? EVERYDAY / this.everyday.size : 0;
    return common + everyday + RARE;
  }
}

/** Shares of the most common and of all common characters; and the probability of any other character. */
const COMMON = 0.7;
const EVERYDAY = 0.29;
const RARE = 5e-7;
/** Flattens the first ranks (Zipf–Mandelbrot). */
const FLAT = 30;

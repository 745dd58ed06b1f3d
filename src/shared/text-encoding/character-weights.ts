/*
 * How likely a character is in a text that a person or a program wrote. A wrong encoding turns letters into rare ones, symbols
 * and controls, so the sum over a text shows which encoding is right.
 */

const setOf = (characters: string): ReadonlySet<string> => new Set(characters)

const COMMON_LATIN = setOf('éèêëàâäáãåçñóôöõøíîïúûüæßœÉÀÄÖÜÅØÇÑÁÓÍÚžšýčćřěůňľłąęśżźńőűăâîșțşğıİđõ')
const RARE_LATIN = setOf('ÝÞýþðÐÙÌÒĹĺŔŕÄÃÂÊËÏÎÔÕÛ¹²³ŸŽ')
const COMMON_CYRILLIC = setOf('оеаинтсрвлкмдпуяызбгчійіѣ')
const USUAL_CYRILLIC = setOf('ьхжшюцщэфъёєїґўљњћ')
const COMMON_GREEK = setOf('αοιετσνηυρπκμλςάίόέήύώωδγχθφβξζψ')
const COMMON_ARABIC = setOf('اليمنوربتةدعسهفكقأ،؟')
const USUAL_ARABIC = setOf('حجشصىطخإضزذثءئؤغظآپچژگی')
/**
 * The letters beyond ASCII of one language, without capitals: a text has those of one, while a wrong encoding mixes them.
 */
const ALPHABETS = [
  'äöüß',
  'éèêëàâîïôûùüçœæÿ',
  'áéíóúüñ',
  'áàâãéêíóôõúç',
  'àèéìíîòóùú',
  'åäöé',
  'æøåé',
  'áðéíóúýþæö',
  'áčďéěíňóřšťúůýž',
  'áäčďéíĺľňóôŕšťúýž',
  'ąćęłńóśźż',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'çğıöşüâîİ',
  'ąčęėįšųūž',
  'āčēģīķļņšūž',
  'äöõüšž',
  'čćđšž',
  'ĉĝĥĵŝŭ',
  'áéíóúàèìòùẁŵŷ',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
  'абвгдеёжзійклмнопрстуўфхцчшыьэюя',
  'абвгдђежзијклљмнњопрстћуфхцчџш',
  'абвгдѓежзѕијклљмнњопрстќуфхцчџш',
].map(setOf)

/** The share of a text's Latin and Cyrillic letters beyond ASCII that one language has, from 0 to 1. */
export function alphabetShare(letters: readonly string[]): number {
  if (letters.length === 0) return 1
  const shares = ALPHABETS.map((alphabet) => letters.filter((letter) => alphabet.has(letter)).length)
  return Math.max(...shares) / letters.length
}
const COMMON_HAN = setOf(
  '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏写价格注释编码简体' +
    '這來個國說們為時會過學對裡後麼沒發經頭長動兩現將與進實點無開見種聲話兒問機給幾業間電門東聽氣關並內產場師書員難數張車報華總處別體應親務計系統記邊戰許覺題變請愛讓認論義術結資隊帶條聯權該領傳強轉區眾輕語滿識極錢黨設雙歷導單據網專誰讀觀組視濟離雖價編碼繁體臺灣檔案測試' +
    '日本語私今彼何時間者自分見行出生思言手前後年中会社方事場合新聞東京国際学校教育研究開発表示入力設定変更確認処理画面文字列数値説明計算関数使用実行結果対応必要可能性問題情報技術世界',
)
const COMMON_HANGUL = setOf(
  '이다는을에가의고지도하사로기은를한자리해대시어서나있인스아그정수일것들보제라주부장전상구원트소여만국선우세들비조게진안위면공성신과유화모생동않관문연경방되중물내번러했용니습요드미실간민개으와심음오력계무회할없두단당불학말날집한글테반급파일설명안녕세요입력함값처리',
)
const PUNCTUATION = setOf('、。，：；！？（）《》「」『』【】〈〉・ー～…“”‘’—％＝＋　々〜')
const TYPOGRAPHY = setOf('’‘“”„–—…•«»€£°©®§™¿¡ºª·№×µ½¼¾²³±\u00a0')

/** Each at most 1.3; below 0 means that this character hardly occurs where it is. */
export function weightOf(character: string, before: string, after: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code === 0xfffd) return -8
  if (code < 0xa0 || (code >= 0xe000 && code < 0xf900) || code >= 0xf0000) return -6
  if (code >= 0xc0 && code < 0x250 && code !== 0xd7 && code !== 0xf7) return latin(character, before, after)
  if (code >= 0x1ea0 && code < 0x1f00) return 0.6
  if (code >= 0x400 && code < 0x530) return cyrillic(character, before, after)
  if (code >= 0x370 && code < 0x400) return greek(character, before, after)
  if (code >= 0x5d0 && code < 0x5eb) return hebrew(character, before, after)
  if (code >= 0x5b0 && code < 0x5d0) return isLetter(before) ? 0.2 : -1
  if (code >= 0x600 && code < 0x700) return arabic(character, before, after)
  if (code >= 0xe01 && code < 0xe5c) return inWord(0.8, before, after)
  if (code >= 0x3041 && code < 0x3097) return 1.3
  if (code >= 0x30a1 && code < 0x30ff) return 1.1
  if (code >= 0x4e00 && code < 0xa000)
    return COMMON_HAN.has(character) ? 1.1 : isAscii(before) || isAscii(after) ? -0.4 : 0.1
  if (code >= 0xac00 && code < 0xd7a4) return COMMON_HANGUL.has(character) ? 1.2 : 0.5
  if (PUNCTUATION.has(character) && (isWide(before) || isWide(after))) return 0.9
  if (code >= 0xff01 && code < 0xff61) return 0.3
  if (code >= 0xff61 && code < 0xffa0) return -0.3
  if (code >= 0x2500 && code < 0x25a0) return isFrame(before) || isFrame(after) ? 0.2 : -0.6
  if (TYPOGRAPHY.has(character)) return typography(character, before, after)
  return isLetter(before) && isLetter(after) ? -1.2 : -0.5
}

const isLetter = (character: string) => /^\p{L}$/u.test(character)
const isUpper = (character: string) => /^\p{Lu}$/u.test(character)
const isLower = (character: string) => /^\p{Ll}$/u.test(character)
const isAscii = (character: string) => /^[a-z]$/i.test(character)
const isWide = (character: string) =>
  /^[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]$/.test(character)
const isFrame = (character: string) => /^[\u2500-\u259f]$/.test(character)

/** Capitals begin a word or fill it. */
function casing(character: string, before: string, after: string): number {
  if (isUpper(character) && isLower(before)) return -1.5
  if (isUpper(character) && isUpper(before) && isLower(after)) return -0.4
  if (isUpper(character) && isUpper(before)) return -0.1
  return 0
}

function latin(character: string, before: string, after: string): number {
  const known = COMMON_LATIN.has(character) ? 0.9 : RARE_LATIN.has(character) ? 0 : 0.3
  const near = [before, after].filter(isAscii).length
  const beyond = [before, after].filter((other) => isLetter(other) && !isAscii(other)).length
  const isolated = near + beyond === 0 && !'àéóyåöÅÖÀÉ'.includes(character) ? -0.4 : 0
  return known + casing(character, before, after) + (near > 0 ? 0.1 : 0) - beyond * 0.35 + isolated
}

function cyrillic(character: string, before: string, after: string): number {
  const lower = character.toLowerCase()
  if ('ьъыЬЪЫ'.includes(character) && !isLetter(before)) return -1
  const known = 'оеаи'.includes(lower)
    ? 1.15
    : COMMON_CYRILLIC.has(lower)
      ? 0.95
      : USUAL_CYRILLIC.has(lower)
        ? 0.4
        : -0.2
  return inWord(known + casing(character, before, after), before, after)
}

function greek(character: string, before: string, after: string): number {
  // A sigma at the end of a word has a form of its own, and nearly every word has an accent.
  if (
    isLetter(character) &&
    isLetter(before) &&
    (character === 'ς') === isLetter(after) &&
    'ςσ'.includes(character)
  )
    return -2
  const known = 'άέήίόύώ'.includes(character) ? 1.3 : COMMON_GREEK.has(character.toLowerCase()) ? 0.8 : 0
  return inWord(known + casing(character, before, after), before, after)
}

function hebrew(character: string, before: string, after: string): number {
  if ('ךםןףץ'.includes(character)) return isLetter(after) ? -2 : inWord(1.2, before, after)
  return inWord(0.9, before, after)
}

function arabic(character: string, before: string, after: string): number {
  if (/^\p{Mn}$/u.test(character)) return isLetter(before) ? 0 : -1
  // Teh marbuta and alef maksura end a word.
  if ('ةى'.includes(character) && isLetter(after)) return -1
  const known = COMMON_ARABIC.has(character) ? 1 : USUAL_ARABIC.has(character) ? 0.3 : -0.3
  return inWord(known, before, after)
}

/** Letters of an alphabet are next to each other, and not within a Latin word. */
function inWord(weight: number, before: string, after: string): number {
  if (isAscii(before) || isAscii(after)) return weight - 1
  if (!isLetter(before) && !isLetter(after)) return weight - 0.5
  return /^[\u00c0-\u024f]$/.test(before) || /^[\u00c0-\u024f]$/.test(after) ? weight - 0.5 : weight
}

function typography(character: string, before: string, after: string): number {
  const inside = isLetter(before) && isLetter(after)
  if (character === '’') return inside ? 0.8 : 0.3
  if (inside) return '–—·'.includes(character) ? 0 : -1.2
  if ('©®§£€±½¼¾'.includes(character) && (isLetter(after) || isLetter(before))) return -0.6
  if ('«“„‘¿¡'.includes(character)) return isLetter(before) ? -0.3 : 0.6
  if ('»”…'.includes(character)) return 0.6
  if ('€£°ºª№'.includes(character)) return /[\d\s]/.test(before) || /\d/.test(after) ? 0.7 : 0
  return 0.4
}

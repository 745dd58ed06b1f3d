/** Sentences that say nothing about the subject. In lower case, without punctuation. */
const GREETINGS = new Set([
  ...['hi', 'hello', 'hey', 'hi there', 'hello there', 'hey there', 'good morning', 'good evening', 'thanks'],
  ...[
    'hallo',
    'guten tag',
    'guten morgen',
    'hola',
    'buenos días',
    'bonjour',
    'salut',
    'olá',
    'oi',
    'bom dia',
  ],
  ...[
    'ciao',
    'привет',
    'здравствуйте',
    '你好',
    '您好',
    '早上好',
    'こんにちは',
    'はじめまして',
    '안녕하세요',
    '안녕',
  ],
  ...['שלום', 'היי', 'مرحبا', 'السلام عليكم', 'नमस्ते'],
])

/** Beginnings that can be left out, and what must follow them, because they may also be the beginning of a word. */
const POLITE_PHRASES = [
  ...[
    'please',
    'can you please',
    'could you please',
    'would you please',
    'can you help me',
    'please help me',
  ],
  ...['i want you to', 'i need you to', 'i would like you to', 'i’d like you to', "i'd like you to"],
  ...['bitte', 'kannst du bitte', 'können sie bitte', 'por favor', 's’il te plaît', 's’il vous plaît'],
  ...["s'il te plaît", "s'il vous plaît", 'пожалуйста', 'בבקשה', 'אנא', 'من فضلك'],
].toSorted((a, b) => b.length - a.length)

/** The same in scripts without spaces. */
const UNSPACED_PHRASES = ['请帮我', '請幫我', '请问', '請問', '麻烦你', '麻煩你']

const PUNCTUATION = /[\s\p{P}\p{S}]+/gu
const LEADING = /^[\s,，、،:：.!！。-]+/u

/** Whether a text is only a greeting. */
export function isGreeting(text: string): boolean {
  return GREETINGS.has(text.toLowerCase().replaceAll(PUNCTUATION, ' ').trim())
}

/** A request without the phrases before it. A text that has only such phrases stays as it is. */
export function withoutPoliteness(text: string): string {
  let rest = text
  for (let before = ''; before !== rest;) {
    before = rest
    rest = withoutBeginning(rest)
  }
  if (!/[\p{L}\p{N}]/u.test(rest) || rest === text) return text
  // A sentence begins here now. Scripts without capitals don't change.
  const [first = ''] = rest
  return `${first.toUpperCase()}${rest.slice(first.length)}`
}

function withoutBeginning(text: string): string {
  const lower = text.toLowerCase()
  const comma = /[,，、،!！.。]/u.exec(text.slice(0, 40))
  if (comma && isGreeting(text.slice(0, comma.index))) return text.slice(comma.index).replace(LEADING, '')
  const phrase =
    POLITE_PHRASES.find(
      (beginning) => lower.startsWith(beginning) && /^[\s,，،]/u.test(text.slice(beginning.length)),
    ) ?? UNSPACED_PHRASES.find((beginning) => text.startsWith(beginning))
  return phrase === undefined ? text : text.slice(phrase.length).replace(LEADING, '')
}

/** Characters of the longest formula that is drawn. */
export const MAX_FORMULA = 4000

const CLOSING: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' }
/** The opening of a display formula. Environments may also be written without dollars around them. */
const OPENING =
  /(?:\$\$|\\\[|\\begin\{(?:(?:equation|align|alignat|gather|multline|eqnarray)\*?|aligned|gathered|split|cases|array|CD|[bBpvV]?matrix)\})/
/** The opening on a line inside a list or a quotation. */
export const DISPLAY_LINE = new RegExp(`^([ \\t>]*)(${OPENING.source})`)
const OPENING_LINE = new RegExp(`^ {0,3}(${OPENING.source})`)

/** The end of a formula. An environment is part of its formula. */
export function closingOf(opening: string): string {
  return CLOSING[opening] ?? opening.replace('begin', 'end')
}

/** The formula between its delimiters, of which those of an environment belong to it. */
export function texOf(opening: string, inside: string, close: string): string {
  return opening in CLOSING ? inside : opening + inside + close
}

/**
 * The display formula at the start of a source, as a separate block. A formula without an end counts only while the
 * text grows.
 */
export function blockOfMath(source: string, text: 'whole' | 'growing'): string | undefined {
  const opening = OPENING_LINE.exec(source)
  if (!opening) return undefined
  const start = opening[0].length
  const close = closingOf(opening[1] ?? '')
  const end = source.slice(start, start + MAX_FORMULA + close.length).indexOf(close)
  if (end === -1) return text === 'growing' && source.length <= start + MAX_FORMULA ? source : undefined
  const after = /^[ \t]*(?:\n+|$)/.exec(source.slice(start + end + close.length))
  return after && source.slice(start, start + end).trim() !== ''
    ? source.slice(0, start + end + close.length + after[0].length)
    : undefined
}

/** A block that is only a display formula. `closed` if its end has arrived. */
export function displayFormula(
  block: string,
): { readonly tex: string; readonly closed: boolean } | undefined {
  const raw = blockOfMath(block, 'growing')
  if (raw === undefined || raw.trim() !== block.trim()) return undefined
  const text = raw.trim()
  const opening = OPENING_LINE.exec(text)?.[1] ?? ''
  const close = closingOf(opening)
  const closed = text.length > opening.length + close.length && text.endsWith(close)
  const inside = text.slice(opening.length, closed ? -close.length : undefined).trim()
  return { tex: texOf(opening, inside, close), closed }
}

/** In front of the formula in a code span. From the private use area: a text that has one draws a formula, and no more. */
const MARK = { inline: '\uE000', display: '\uE001' }

/** The content of the code span that stands for a formula. */
export function markFormula(tex: string, display: boolean): string {
  return (display ? MARK.display : MARK.inline) + tex
}

/** A formula, read back from its code span. */
export function markedFormula(code: string): { readonly tex: string; readonly display: boolean } | undefined {
  const display = code.startsWith(MARK.display)
  return display || code.startsWith(MARK.inline) ? { tex: code.slice(1), display } : undefined
}

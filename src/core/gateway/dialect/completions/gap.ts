/** The texts before and after the gap that an editor wants filled. */
export interface Gap {
  readonly before: string
  readonly after: string
}

/**
 * The markers of the model families that editors write: before the first text, before the second, and at the
 * end.
 */
const FORMS: readonly (readonly [first: string, second: string, end: string])[] = [
  ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'],
  ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'],
  ['<PRE>', '<SUF>', '<MID>'],
  ['<｜fim▁begin｜>', '<｜fim▁hole｜>', '<｜fim▁end｜>'],
]
/** Codestral's markers have the text after the gap first, and no end. */
const AFTER_FIRST = ['[SUFFIX]', '[PREFIX]'] as const

/**
 * Reads the texts around the gap from a prompt with the markers of a model family, because a chat model
 * doesn't know the markers of another family. Text before the first marker, such as other files, remains at
 * the front.
 * @returns undefined if the prompt doesn't end with a gap
 */
export function readGap(prompt: string): Gap | undefined {
  for (const [first, second, end] of FORMS) {
    const text = prompt.trimEnd()
    const [from, to] = [text.indexOf(first), text.lastIndexOf(second)]
    if (from >= 0 && to > from && text.endsWith(end)) {
      return {
        before: prompt.slice(0, from) + prompt.slice(from + first.length, to),
        after: prompt.slice(to + second.length, text.length - end.length),
      }
    }
  }
  const [suffix, prefix] = AFTER_FIRST
  const to = prompt.indexOf(prefix)
  return prompt.startsWith(suffix) && to > 0
    ? { before: prompt.slice(to + prefix.length), after: prompt.slice(suffix.length, to) }
    : undefined
}

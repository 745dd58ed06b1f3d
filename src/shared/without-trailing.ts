/** A text without the signs `last`, one character, that it ends with. */
export function withoutTrailing(last: string, text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === last) end -= 1
  return text.slice(0, end)
}

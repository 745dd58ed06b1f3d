const OPENING = /^ {0,3}<!--/
const END = '-->'

/**
 * What follows the comment that a block begins with. Markdown would end the comment at its first empty line, so a comment
 * without one isn't read here: it may be part of a paragraph.
 *
 * @returns undefined if the block begins with no such comment, or its end hasn't arrived
 */
export function withoutComment(block: string): string | undefined {
  const [opening] = OPENING.exec(block) ?? []
  if (opening === undefined) return undefined
  const end = block.indexOf(END, opening.length)
  if (end === -1 || !hasEmptyLine(block.slice(0, end))) return undefined
  const rest = block.slice(end + END.length).trim()
  // Another comment may follow.
  return withoutComment(rest) ?? rest
}

function hasEmptyLine(comment: string): boolean {
  return comment
    .split('\n')
    .slice(1, -1)
    .some((line) => line.trim() === '')
}

/** Characters per token. */
export const CHARS_PER_TOKEN = 4

export interface Turn {
  readonly question: string
  readonly answer: string
}

const VOCABULARY =
  'the report binds a key to code that was measured before it ran and whoever asks can judge that by a chain of signatures down to the maker of the processor which says little about the answer itself but much about who can read it while it comes'.split(
    ' ',
  )

/**
 * Markdown as models write it, the same for the same seed: paragraphs, lists, a table and code, with inline
 * marks.
 */
export function markdown(seed: number, chars: number): string {
  const next = numbers(seed)
  const parts: string[] = []
  let length = 0
  while (length < chars) {
    const part = piece(next)
    parts.push(part)
    length += part.length + 2
  }
  return parts.join('\n\n').slice(0, chars).trimEnd()
}

/**
 * A conversation of this number of questions and answers. Every message names its conversation, so that a
 * test can wait for it.
 */
export function turns(name: string, count: number, charsEach: number): Turn[] {
  return Array.from({ length: count }, (_, index) => ({
    question: `Turn ${String(index)} of ${name}: ${sentence(numbers(index + 1), 12)}`,
    answer: `Turn ${String(index)} of ${name}.\n\n${markdown(index + 7, charsEach)}`,
  }))
}

function piece(next: () => number): string {
  switch (next() % 8) {
    case 0:
      return `## ${sentence(next, 4)}`
    case 1:
      return Array.from({ length: 3 + (next() % 5) }, () => `- ${sentence(next, 9)}`).join('\n')
    case 2:
      return `| Part | Meaning | Time |\n|:--|:--|--:|\n${Array.from({ length: 4 }, () => `| \`${word(next)}\` | ${sentence(next, 4)} | ${String(next() % 900)} µs |`).join('\n')}`
    case 3:
      return `\`\`\`ts\n${Array.from({ length: 6 + (next() % 10) }, () => `const ${word(next)} = ${word(next)}(${String(next() % 100)}) // ${word(next)} ${word(next)}`).join('\n')}\n\`\`\``
    default:
      return Array.from({ length: 2 + (next() % 4) }, () => sentence(next, 14)).join(' ')
  }
}

function sentence(next: () => number, wordCount: number): string {
  const text = Array.from({ length: wordCount }, (_, index) =>
    index % 7 === 5 ? `**${word(next)}**` : word(next),
  ).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const word = (next: () => number): string => VOCABULARY[next() % VOCABULARY.length] ?? ''

function numbers(seed: number): () => number {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}

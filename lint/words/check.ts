import { dirname, join } from 'node:path'
import { exceptions, type Exception } from './exceptions.ts'
import { checkText, findFirstWord, type Finding } from './rules.ts'
import { sources } from './sources.ts'
import type { Text } from './text.ts'

export interface Report {
  /** Findings of each source, without those that are excepted. */
  readonly problems: ReadonlyMap<string, readonly Finding[]>
  readonly unused: readonly Exception[]
}

/** Checks the words of every source. @param root the repository */
export function checkWords(root: string): Report {
  const used = new Set<Exception>()
  const problems = new Map(
    sources.map(({ name, read, ...register }) => {
      const texts = read(root)
      const answers = groupButtons(texts)
      const found = texts
        .flatMap((text) => checkText(text, { ...register, answers }))
        .filter(({ text, rule }) => {
          const exception = exceptions.find((each) => each.rule === rule && each.text === text)
          if (exception) used.add(exception)
          return exception === undefined
        })
      return [name, found] as const
    }),
  )
  return { problems, unused: exceptions.filter((exception) => !used.has(exception)) }
}

/** The first words of all buttons in the folder of a text. */
function groupButtons(texts: readonly Text[]): (text: Text) => ReadonlySet<string> {
  const folders = new Map<string, Set<string>>()
  for (const { role, place, text } of texts) {
    if (role !== 'button') continue
    const folder = dirname(place)
    folders.set(folder, (folders.get(folder) ?? new Set()).add(findFirstWord(text)))
  }
  return ({ place }) => folders.get(dirname(place)) ?? new Set()
}

/** Prints what must change. @returns the exit code */
function run(): number {
  const { problems, unused } = checkWords(join(import.meta.dirname, '../..'))
  const lines = unused.map(({ text, rule }) => `lint/words/exceptions.ts: no longer needed: ${rule}: ${text}`)
  for (const found of problems.values()) {
    lines.push(...found.map(({ place, rule, problem, text }) => `${place}: ${rule}: ${problem}\n    ${text}`))
  }
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
  return lines.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = run()

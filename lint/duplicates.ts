/** Code that two places have in common. Lines count without blank lines, comments and imports. */
interface Duplicate {
  readonly lines: number
  /** `file:line` of each place. */
  readonly places: readonly [string, string]
}

interface Line {
  readonly number: number
  readonly code: string
}

const WINDOW = 10
const IMPORT = /^(?:import|export)\b[^'"=(]*['"][^'"]*['"]/gm
const NO_CODE = /^(?:\/\/|\/?\*|export (?:\*|\{|type \{)|[\])}>,;]*$)/

/**
 * Finds runs of at least 10 equal lines, the longest first. Each window is compared with its first occurrence only, so that the time grows
 * with the size of the code and not with its square.
 * @param files the text of each file by its name
 */
export function findDuplicates(files: ReadonlyMap<string, string>): readonly Duplicate[] {
  const code = new Map([...files].map(([file, text]) => [file, readCode(text)]))
  const first = new Map<string, { file: string; at: number }>()
  const found: Duplicate[] = []
  for (const [file, lines] of code) {
    for (let at = 0; at + WINDOW <= lines.length; at++) {
      const key = joinLines(lines.slice(at, at + WINDOW))
      const before = first.get(key)
      if (before === undefined || (before.file === file && before.at + WINDOW > at)) {
        first.set(key, before ?? { file, at })
        continue
      }
      const other = code.get(before.file) ?? []
      const length = countEqual(other, before.at, lines, at)
      found.push({
        lines: length,
        places: [nameLine(before.file, other[before.at]), nameLine(file, lines[at])],
      })
      at += length - 1
    }
  }
  return found.sort((a, b) => b.lines - a.lines)
}

function readCode(text: string): readonly Line[] {
  return text
    .replaceAll(IMPORT, (statement) => statement.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line, at) => ({ number: at + 1, code: line.trim() }))
    .filter(({ code }) => !NO_CODE.test(code))
}

function joinLines(lines: readonly Line[]): string {
  return lines.map(({ code }) => code).join('\n')
}

function countEqual(a: readonly Line[], fromA: number, b: readonly Line[], fromB: number): number {
  let length = WINDOW
  while (b[fromB + length] !== undefined && a[fromA + length]?.code === b[fromB + length]?.code) length++
  return length
}

function nameLine(file: string, line: Line | undefined): string {
  return `${file}:${line?.number ?? 0}`
}

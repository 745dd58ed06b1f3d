/** A row of the specification: a row of a table, an item of a list, or a route on a separate line. */
export interface SpecificationRow {
  /** `Part / section / first words`, numbered if two rows begin alike. */
  readonly id: string
  readonly text: string
}

const parts = [
  'Endpoints',
  'Resources and their fields',
  'States and transitions',
  'Authentication',
  'Errors',
  'Limits',
  'Versioning',
]

/** Every row of the parts that are binding for a service. */
export function specificationRows(markdown: string): SpecificationRow[] {
  const rows: SpecificationRow[] = []
  const seen = new Map<string, number>()
  let [part, section, inTable] = ['', '', false]
  for (const line of markdown.split('\n')) {
    const heading = /^(##|###) (.+)$/.exec(line)
    if (heading?.[1] === '##') [part, section] = [heading[2] ?? '', '']
    if (heading?.[1] === '###') section = heading[2] ?? ''
    const isRow = line.startsWith('|')
    // A table starts with its header and a line of dashes.
    const isBody = isRow && inTable && !/^\|[-|]+\|$/.test(line)
    inTable = isRow
    if (!parts.includes(part)) continue
    const text = isBody
      ? cells(line)
      : (/^\s*(?:-|\d+\.) (?<says>.+)$/.exec(line)?.groups?.['says'] ??
        (line.startsWith('`') ? line : undefined))
    if (text === undefined) continue
    const beginning = [
      part,
      section,
      isBody ? text.split(' | ').slice(0, 2).join(' | ').slice(0, 50) : text.slice(0, 50),
    ]
      .filter((word) => word !== '')
      .join(' / ')
      .trim()
    const count = (seen.get(beginning) ?? 0) + 1
    seen.set(beginning, count)
    rows.push({ id: count === 1 ? beginning : `${beginning} #${count}`, text })
  }
  return rows
}

function cells(line: string): string {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ')
}

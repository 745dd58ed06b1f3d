/** The headings of https://keepachangelog.com/en/1.1.0/. Any other heading is `other`. */
const changeKinds = ['added', 'changed', 'deprecated', 'removed', 'fixed', 'security', 'other'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface ReleaseNotes {
  /** Null for the unreleased version. */
  readonly version: string | null
  /** The date as written, such as 2026-02-01. */
  readonly date: string | null
  readonly groups: readonly { readonly kind: ChangeKind; readonly changes: readonly string[] }[]
}

const MOST_CHARACTERS = 512 * 1024
const MOST_RELEASES = 200
const MOST_CHANGES = 1000
const LONGEST_CHANGE = 1000
/** Control characters, and characters that reorder or hide the text after them. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const EMPHASIS = /\*{1,2}(?=[^\s*])([^*]{1,200})\*{1,2}/g

const RELEASE =
  /^## \[?(Unreleased|\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?)\]?(?: - (\d{4}-\d{2}-\d{2}))?(?: \[YANKED\])?$/

/**
 * Parses a changelog to plain texts: of its mark-up, only backticks remain. Links, pictures and emphasis are
 * removed, and content beyond the limits is omitted.
 */
export function parseChangelog(text: string): ReleaseNotes[] {
  const releases: {
    version: string | null
    date: string | null
    groups: { kind: ChangeKind; changes: string[] }[]
  }[] = []
  let changes = 0
  let open: string[] | undefined
  for (const line of text.slice(0, MOST_CHARACTERS).split(/\r?\n/)) {
    const release = releases.at(-1)
    const [, version, date] = RELEASE.exec(line.trimEnd()) ?? []
    if (version !== undefined) {
      if (releases.length === MOST_RELEASES) break
      releases.push({ version: version === 'Unreleased' ? null : version, date: date ?? null, groups: [] })
      open = undefined
    } else if (line.startsWith('## ')) {
      break
    } else if (release && line.startsWith('### ')) {
      const kind = changeKinds.find((name) => name === line.slice(4).trim().toLowerCase()) ?? 'other'
      open = release.groups.find((group) => group.kind === kind)?.changes
      if (!open) release.groups.push({ kind, changes: (open = []) })
    } else if (open && /^[-*] \S/.test(line)) {
      if (++changes > MOST_CHANGES) break
      open.push(shown(line.slice(2)))
    } else if (open && open.length > 0 && /^ {2,}\S/.test(line)) {
      open[open.length - 1] = shown(`${open.at(-1) ?? ''} ${line.trim()}`)
    }
  }
  return releases
    .map(({ groups, ...release }) => ({
      ...release,
      groups: groups.filter((group) => group.changes.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0)
}

function shown(change: string): string {
  return withoutEmphasis(change.replaceAll(UNSHOWN, ' ').trim()).slice(0, LONGEST_CHANGE)
}

/** Asterisks between backticks are code. */
function withoutEmphasis(change: string): string {
  return change
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(EMPHASIS, '$1') : part))
    .join('`')
}

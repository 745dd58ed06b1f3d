import type { Chance } from '../random.ts'

const common = new Set(
  (
    'about above after again also code compare comparison difference function ideas plan script steps table always and another any anything are because been before being below between both but can cannot could describe did does doing done down each else even every explain ' +
    'few find first for from further get give had has have having hello help here hers him his how into its just keep know last least let like list look made make many may maybe me mine more most much must my name need never ' +
    'new next not nothing now off often one only other our out over own per please put rather really say see send shall she should show since some something still such sure take tell than thank thanks that the their them then there ' +
    'these they thing things think this those through today too try two under until use used using very want was way well were what when where which while who whom whose why will with within without word words would write you your yours'
  ).split(' '),
)

/** The words of a prompt that carry it, as they were written, each once. */
export function keywords(prompt: string): string[] {
  const found = prompt.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]{2,}/gu) ?? []
  const seen = new Map(found.map((word) => [word.toLowerCase(), word]))
  return [...seen].flatMap(([lower, word]) => (common.has(lower) ? [] : [word]))
}

/** The prompt in at most three of its own words. */
export function topicOf(prompt: string, terms = keywords(prompt)): string {
  return terms.slice(0, 3).join(' ') || prompt.trim().slice(0, 40) || 'your message'
}

/** At most `count` characters, never half of one. */
export function shortened(text: string, count: number): string {
  const characters = Array.from(text)
  return characters.length > count ? `${characters.slice(0, count).join('')} …` : text
}

/** The topic of an answer: the prompt, its significant words, and the first few of them together. */
export interface Subject {
  readonly prompt: string
  readonly terms: readonly string[]
  readonly topic: string
}

/** One section of an answer, in markdown. */
export type Section = (subject: Subject, chance: Chance) => string

function word(subject: Subject, index: number, otherwise: string): string {
  return subject.terms[index] ?? otherwise
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function paragraph(subject: Subject, chance: Chance): string {
  const [a, b] = [word(subject, 0, 'it'), word(subject, 1, 'the rest')]
  return chance.pick([
    `A real model would compare **${a}** with ${b} here, explain the trade-offs, and say what it isn’t sure about. The sandbox only repeats your words: ${subject.terms.slice(0, 6).join(', ') || 'there were only a few'}.`,
    `Your question is mostly about **${a}**. A real model would first explain how it relates to *${b}*. This paragraph only shows how a reply looks and wraps.`,
    `It helps to separate what is *known* about ${a} from what is *assumed* about ${b}. Nothing here was researched, and the numbers below are random.`,
  ])
}

export function list(subject: Subject, chance: Chance): string {
  const items: readonly string[] = [
    `**${capital(word(subject, 0, 'Start'))}**: write down the decisions you have already taken.`,
    `**${capital(word(subject, 1, 'Limits'))}**: find the constraint that rules out the most options.`,
    `**${capital(word(subject, 2, 'Trial'))}**: test the smallest version that could fail.`,
    `**${capital(word(subject, 3, 'Review'))}**: compare the result with your expectations, and note the differences.`,
  ]
  const count = 3 + chance.below(2)
  const ordered = chance.below(2) === 0
  return items
    .slice(0, count)
    .map((item, index) => `${ordered ? `${index + 1}.` : '-'} ${item}`)
    .join('\n')
}

export function table(subject: Subject, chance: Chance): string {
  const rows: readonly string[] = [
    word(subject, 0, 'first'),
    word(subject, 1, 'second'),
    word(subject, 2, 'third'),
  ]
  const grade = () => chance.pick(['low', 'medium', 'high', 'unknown'])
  return [
    '| Option | Effort | Risk | Note |',
    '|---|---|---|---|',
    ...rows.map(
      (name, index) =>
        `| ${capital(name.replaceAll('|', '/'))} | ${grade()} | ${grade()} | row ${index + 1} of a sandbox table |`,
    ),
  ].join('\n')
}

export function code(subject: Subject, chance: Chance): string {
  const name = word(subject, 0, 'answer')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .replace(/^(?=\d)/, '_')
  const asked = /\b(python|sql|bash|shell|rust|typescript|javascript)\b/i
    .exec(subject.prompt)?.[1]
    ?.toLowerCase()
  const language = asked ?? chance.pick(['typescript', 'python'])
  const samples: Readonly<Record<string, string>> = {
    python: `def ${name}(items: list[str]) -> dict[str, int]:\n    """Count how often each item occurs."""\n    counts: dict[str, int] = {}\n    for item in items:\n        counts[item] = counts.get(item, 0) + 1\n    return counts`,
    sql: `SELECT ${name}, count(*) AS occurrences\nFROM sandbox\nGROUP BY ${name}\nORDER BY occurrences DESC\nLIMIT 10;`,
    bash: `#!/bin/sh\nset -eu\nfor ${name} in "$@"; do\n  printf '%s\\n' "$${name}"\ndone`,
    rust: `fn ${name}(items: &[&str]) -> usize {\n    items.iter().filter(|item| !item.is_empty()).count()\n}`,
  }
  const typed = `export function ${name}(items: readonly string[]): Map<string, number> {\n  const counts = new Map<string, number>()\n  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)\n  return counts\n}`
  const key = language === 'shell' ? 'bash' : language
  return `\`\`\`${key}\n${samples[key] ?? typed}\n\`\`\``
}

export function quotation(subject: Subject): string {
  return `> ${shortened(subject.prompt.replace(/\s+/g, ' ').trim(), 160)}`
}

const headings: readonly [string, ...string[]] = [
  'Summary',
  'Key factors',
  'Recommended steps',
  'Comparison',
  'Example',
  'Checklist',
  'Open questions',
]

/** `count` different headings, one of them with the topic in it. */
export function pickHeadings(count: number, subject: Subject, chance: Chance): string[] {
  const start = chance.below(headings.length)
  const chosen = Array.from(
    { length: count },
    (_, index) => headings[(start + index * 2) % headings.length] ?? headings[0],
  )
  const topicIndex = chance.below(count)
  return chosen.map((heading, index) => (index === topicIndex ? `${heading}: ${subject.topic}` : heading))
}

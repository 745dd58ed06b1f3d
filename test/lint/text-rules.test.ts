import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkWords } from '../../lint/words/check.ts'
import { exceptions } from '../../lint/words/exceptions.ts'
import { parseLiterals } from '../../lint/words/read-code.ts'
import { parseMarkdown } from '../../lint/words/read-markdown.ts'
import { parseRoles } from '../../lint/words/read-roles.ts'
import { checkText, type Register } from '../../lint/words/rules.ts'
import { sources } from '../../lint/words/sources.ts'
import { expandMessage, PLACE, splitSentences, splitWords, type Role } from '../../lint/words/text.ts'

const root = join(import.meta.dirname, '../..')
const window: Register = { maxWords: 20, inWindow: true, answers: () => new Set(['Rename']) }
const documents: Register = { maxWords: 25, inWindow: false }

/** The rules that a text breaks, each once. */
function broken(text: string, role: Role = 'text', register = window): string[] {
  return [...new Set(checkText({ place: 'sample:1', text, role }, register).map(({ rule }) => rule))]
}

describe('a denied word is found', () => {
  it.each([
    'Load the list anew.',
    'Meanwhile, the key works.',
    'Whoever has the key can pay.',
    'Sotto reckons the cost.',
    'Mend the fields.',
    'The key lets go of the lock.',
    'The payment was given up.',
    'The file stands in the folder.',
    'It is beside the price.',
    'All but for one failed.',
    'You are told the price.',
    'A pretended service.',
    'The chats were taken in.',
    'It resumes by itself.',
    'For this computer alone.',
    'The cost was not said.',
    'The list says how much.',
    'The chat is kept.',
    'The key was made.',
    'See the Privacy room.',
    'Look at the strip.',
    'Open the rail.',
    'A new topup.',
    'What was sent is final.',
    'What you send is sealed.',
    'Where there is no key, nothing is sent.',
    'Nobody knows the cost.',
    'The fire drill failed.',
    'The job is under way.',
    '{count, plural, one {# key was told} other {# keys work}}',
    'A favourite colour',
    'The catalogue',
    'Minimise it',
    'A licence',
    'Canceled, not cancelled',
    'Analyse it',
    'A neighbour',
    'Grey',
    'The centre',
  ])('%s', (text) => expect(broken(text, 'text', documents)).toEqual(['word']))

  it.each(['This cannot be undone.', 'It does not work.', 'It was not sent.', "It doesn't work."])(
    'in the window: %s',
    (text) => {
      expect(broken(text)).toEqual(['word'])
      expect(broken(text, 'text', documents)).toEqual([])
    },
  )
})

describe('a plain sentence passes', () => {
  it.each([
    'NWC stands for Nostr Wallet Connect.',
    'A standalone app',
    'The key is kept secret.',
    'Two payments were made within one minute.',
    'It’s made of parts.',
    'There is room for 20.',
    'What does it cost?',
    'What’s new',
    'See what changed in Privacy.',
    'Where people are based, one location per line.',
    'Add funds for a top-up.',
    'The promise is precise.',
    'Exercise the advised revision.',
    'Cancellation fees',
    'The labels are colored and modeled.',
    'A dialog in the catalog',
    'Don’t pay again.',
    'A payment rail',
    'Bedrooms',
    'It can’t say more.',
    'Besides the price, you see the estimate.',
    'A commendable amendment',
  ])('%s', (text) => expect(broken(text)).toEqual([]))
})

describe('sentences are counted', () => {
  const repeatWord = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')

  it('up to 20 words in the window and 25 elsewhere', () => {
    expect([
      broken(repeatWord(20)),
      broken(repeatWord(21)),
      broken(repeatWord(25), 'text', documents),
      broken(repeatWord(26), 'text', documents),
    ]).toEqual([[], ['length'], [], ['length']])
  })

  it('one by one', () =>
    expect(broken(`${repeatWord(15)}. W${repeatWord(15)}? W${repeatWord(15)}`)).toEqual([]))

  it('with one word for a value, an element, code and each branch of a plural', () => {
    expect(
      expandMessage('{count, plural, one {# row of {all}} other {# rows of {all}}}, <0/> and <1>now</1>'),
    ).toEqual([`# row of ${PLACE}, ${PLACE} and now`, `# rows of ${PLACE}, ${PLACE} and now`])
    expect(splitWords(expandMessage('{a} – <0/> #')[0] ?? '')).toHaveLength(3)
    expect(expandMessage("'{{name}}' isn''t {x}")).toEqual([`${PLACE} isn't ${PLACE}`])
  })

  it('not split in a number, an address or a list', () => {
    expect(splitSentences('Version 1.2 of box.example: one, two; three. “Next.” {x}')).toEqual([
      'Version 1.2 of box.example: one, two; three.',
      '“Next.” {x}',
    ])
  })
})

describe('the form of a role', () => {
  it.each<[Role, string]>([
    ['button', 'Add funds'],
    ['button', 'Create key…'],
    ['button', 'Cancel'],
    ['button', 'Save {0}…'],
    ['button', 'New chat'],
    ['button', 'Back to Settings'],
    ['button', 'Got it'],
    ['button', 'I’ve saved it'],
    ['button', 'Restore from a recovery copy…'],
    ['button', 'Copy: {0}'],
    ['label', 'Remove {0} from the list of favorites'],
    ['busy', 'Loading models…'],
    ['heading', 'Trust roots'],
    ['heading', 'Search results'],
    ['heading', 'Invoice'],
    ['title', 'Revoke {0}?'],
    ['title', 'Rename chat'],
    ['title', 'New folder'],
    ['placeholder', 'A fox crossing a snowy field at dawn, wide shot'],
    ['placeholder', 'Search chats'],
    ['placeholder', 'no limit'],
  ])('%s: “%s” passes', (role, text) => expect(broken(text, role)).toEqual([]))

  it.each<[Role, string, string]>([
    ['button', 'Funds', 'button'],
    ['button', 'The key', 'button'],
    ['button', 'Add funds.', 'button'],
    ['button', 'Add', 'button'],
    ['button', 'Choose one of all your models', 'button'],
    ['label', 'Keys', 'button'],
    ['label', 'Remove {0} from all lists of your favorite models', 'button'],
    ['busy', 'Please wait…', 'busy'],
    ['busy', 'Loading', 'busy'],
    ['heading', 'Create a key', 'heading'],
    ['heading', 'Why it failed', 'heading'],
    ['heading', 'This tab isn’t connected', 'heading'],
    ['heading', 'Save both.', 'heading'],
    ['title', 'Delete chat', 'heading'],
    ['placeholder', 'Which model?', 'placeholder'],
    ['placeholder', 'Enter a name', 'placeholder'],
    ['placeholder', 'Your message is encrypted', 'placeholder'],
  ])('%s: “%s” is found', (role, text, rule) => expect(broken(text, role)).toEqual([rule]))
})

describe('what is read', () => {
  it('of the window: buttons, headings, titles and placeholders, with both sides of a choice', () => {
    const code = [
      'const x = <Dialog title={t`Revoke ${name}?`}><h2>{a ? t`Invoice` : t`Invoices`}</h2>',
      '  <Button busy={busy && t`Saving…`} title={t`Esc`}><Icon /><Trans>Save <b>{name}</b> right',
      '    now</Trans></Button>',
      "  <Button>{plural(n, { one: 'Delete #', other: `Delete ${n}` })}</Button>",
      '  <Menu label={t`More`} items={[{ name: t`Edit`, choose: () => say(t`Done.`) }]} /><Field placeholder={t`no limit`} label={t`Limit`} /></Dialog>',
      'const y = <ConfirmDialog title={t`Delete?`} alternative={{ button: t`Keep`, busy: t`Keeping…` }} button={t`Delete`} />',
    ].join('\n')
    expect(parseRoles(code, 'a.tsx').map(({ place, role, text }) => `${place} ${role} ${text}`)).toEqual([
      `a.tsx:1 title Revoke ${PLACE}?`,
      'a.tsx:1 heading Invoice',
      'a.tsx:1 heading Invoices',
      `a.tsx:2 button Save ${PLACE} right now`,
      'a.tsx:2 busy Saving…',
      'a.tsx:4 button Delete #',
      `a.tsx:4 button Delete ${PLACE}`,
      'a.tsx:5 button Edit',
      'a.tsx:5 placeholder no limit',
      'a.tsx:6 title Delete?',
      'a.tsx:6 button Keep',
      'a.tsx:6 button Delete',
    ])
  })

  it('of the command line: sentences, without modules, types, patterns, flags and what a catalog holds', () => {
    const code =
      "import a from './a b.ts'\ntype A = 'of a type'\nprint(`Wait for ${x}.`); option('--to <file>', 'write it there'); msg('in a catalog'); text.split(' and then '); db.prepare('SELECT a b'); const id = 'one-id'; run('sotto history now'); print('Run \"sotto history\" again.')"
    expect(parseLiterals(code, 'a.ts').map(({ text }) => text)).toEqual([
      `Wait for ${PLACE}.`,
      'write it there',
      `Run ${PLACE} again.`,
    ])
  })

  it('of a document: paragraphs, items, cells and headings, without code and addresses', () => {
    const markdown =
      '# One\n\nTwo `a b c` and [three](https://a.example),\nfour.\n\n```\nfive\n```\n* **six**\n  seven\n\n| eight | nine |\n|---|---|\n| `ten` | eleven |'
    expect(
      parseMarkdown(markdown, 'a.md').map(({ place, role, text }) => `${place} ${role} ${text}`),
    ).toEqual([
      'a.md:1 heading One',
      `a.md:3 text Two ${PLACE} and three, four.`,
      'a.md:9 text six seven',
      'a.md:12 text eight',
      'a.md:12 text nine',
      'a.md:14 text eleven',
    ])
  })

  it('the title of a decision as the sentence that it is', () => {
    expect(
      parseMarkdown('# 0001 Keys are sealed\n## Why', 'docs/decisions/0001.md').map(({ role }) => role),
    ).toEqual(['text', 'heading'])
  })
})

describe('the words of the product', () => {
  const { problems, unused } = checkWords(root)

  it.each(sources.map(({ name }) => name))('are plain: %s', (name) => {
    expect(problems.get(name)?.map(({ place, problem, text }) => `${place}: ${problem}: ${text}`)).toEqual([])
  })

  it.each(sources)('are all read: $name', ({ read }) => expect(read(root).length).toBeGreaterThan(10))

  it('have at most 20 exceptions, each needed and with its reason', () => {
    expect(exceptions.length).toBeLessThanOrEqual(20)
    expect(unused).toEqual([])
    for (const { reason } of exceptions) expect(splitWords(reason).length).toBeGreaterThan(3)
    expect(new Set(exceptions.map(({ rule, text }) => `${rule} ${text}`)).size).toBe(exceptions.length)
  })
})

import { join } from 'node:path'
import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { describe, expect, it, test } from 'vitest'
import { sentences } from '../../lint/sentences.js'

const root = join(import.meta.dirname, '../..')
const linter = new Linter({ cwd: root })
const parser: Linter.Config = {
  files: ['**/*.tsx'],
  languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
}

/** How many words of `code` a person would read in English in every language. */
function unwrapped(code: string, file = 'src/renderer/features/chat/sample.tsx'): number {
  const messages = linter.verify(code, [parser, ...sentences], { filename: join(root, file) })
  for (const { fatal, message } of messages) if (fatal) throw new Error(message)
  return messages.length
}

describe('text of the window without a macro is refused', () => {
  it.each([
    ['the text of an element', '<p>No conversation yet.</p>'],
    ['one word of it', '<Button>Send</Button>'],
    ['one small word of it', '<span>answering</span>'],
    ['a choice between two', "<b>{live ? 'Follow the answer' : 'To the end'}</b>"],
    ['the name of a button', '<button aria-label="Copy" />'],
    ['one small word of a name', '<CopyButton label="copy" />'],
    ['a name with something in it', '<section aria-label={`Answer of ${name}`} />'],
    ['a placeholder', '<textarea placeholder="Write a message" />'],
    ['a tooltip', '<Button title="Esc" />'],
    ['the title of a dialog', '<Dialog title="Rename the conversation" says={t`x`} />'],
    ['an announcement', "announce('Undone.')"],
    ['a command', "const commands = [{ id: 'chat/new', title: 'New conversation', also: 'chat write' }]"],
    ['a table of words', "const words = { sealed: 'This goes out sealed, or not at all.' }"],
    ['a heading of one word', "const names = { keys: 'Keys' }"],
    ['a sentence in pieces', 'const text = `${what} from ${subject} as of Now`'],
    ['a form whose messages are the browser’s', '<form onSubmit={submit} />'],
    ['a failure that is made up', "const failure = { code: 'window/x', says: 'It failed.', remedy: t`x` }"],
  ])('%s', (_, code) => expect(unwrapped(code)).toBeGreaterThan(0))
})

describe('text that is no sentence, or that is in a macro, is accepted', () => {
  it.each([
    ['a macro', 'const x = <p><Trans>No conversation <strong>yet</strong>.</Trans></p>'],
    ['a macro in code', "announce(t`Undone.`); plural(n, { one: '# Picture', other: '# Pictures' })"],
    [
      'a macro of a word with a meaning of its own',
      "const x = t({ message: 'Keys', context: 'Of a keyboard' })",
    ],
    [
      'an id, a class and an address',
      '<a className="Row wide" id="who-reads" href="#/history" data-room="chat" />',
    ],
    ['words that are only searched', "const command = { also: 'Chat system prompt' }"],
    ['the name of a product', '<p>Sotto</p>'],
    ['code that is shown', '<p><code>store/damaged</code> <kbd>x</kbd></p>'],
    ['what is thrown', "throw new TypeError('Only files of the window are read.')"],
    ['a constant', "const REQUEST_METHOD = 'Some Method'"],
  ])('%s', (_, code) => expect(unwrapped(code)).toBe(0))
})

test('the rule applies to the whole window', async () => {
  const eslint = new ESLint({ cwd: root })
  for (const file of [
    'features/chat/composer.tsx',
    'features/studio/studio-room.tsx',
    'ui/shell/rail.tsx',
    'app.tsx',
  ]) {
    const config: unknown = await eslint.calculateConfigForFile(join(root, 'src/renderer', file))
    expect(config).toMatchObject({ rules: { 'lingui/no-unlocalized-strings': [2, expect.anything()] } })
  }
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOver } from '../../src/cli/client.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'
import { COMMAND } from '../process/command.ts'
import { codesIn, runSotto, startSotto, type SottoProcess } from '../process/sotto-process.ts'
import {
  atTerminal,
  CTRL_C,
  CTRL_D,
  hasTerminal,
  shellWords,
  startTerminal,
  type Terminal,
} from '../process/terminal.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-terminal-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const open = (...args: string[]): Terminal => atTerminal(args, { SOTTO_DATA_DIR: folder })
const outcomes = async (): Promise<string[]> =>
  ((await sotto.call('receipts/list', {})) as Receipt[]).map(({ outcome }) => outcome)
const LONG = 'Write 2000 words about rivers'
/** The answer repeats words of its question. */
const ANSWERING = 'rivers'

describe.runIf(hasTerminal)('a conversation in a terminal', () => {
  it('Ctrl-C cancels the reply, and the next question follows', async () => {
    const terminal = open('chat')
    await terminal.shows('> ')
    terminal.type(`${LONG}\r`)
    await terminal.shows('Waiting for the first word…')
    await terminal.shows(ANSWERING)
    terminal.type(CTRL_C)
    await terminal.shows('Stopped.')
    await expect.poll(outcomes).toEqual(['cancelled'])
    terminal.type('Hello\r')
    await terminal.shows('[Private')
    terminal.type('\r')
    expect(await terminal.ended).toBe(0)
    expect(await outcomes()).toEqual(['complete', 'cancelled'])
  })

  it('the reply replaces the progress lines, and nothing replaces the reply', async () => {
    const terminal = open('chat')
    await terminal.shows('> ')
    terminal.type('Hello\r')
    await terminal.shows('Waiting for the first word…')
    await terminal.shows('[Private')
    const [, answer = ''] = terminal.written().split('Waiting for the first word…')
    expect(answer.split('[Private')[0]?.match(/\r(?!\n)/g)).toHaveLength(1)
    expect(answer.startsWith('\r\u001b[K')).toBe(true)
    terminal.type('\r')
    expect(await terminal.ended).toBe(0)
  })

  it('pasted text is one question with its line breaks, and waits for Enter', async () => {
    const terminal = open('chat')
    await terminal.shows('> ')
    terminal.type('\u001b[200~First line\r\rThird line\u001b[201~')
    await terminal.shows('Third line')
    terminal.type(' and more\r')
    await terminal.shows('[Private')
    terminal.type('\r')
    expect(await terminal.ended).toBe(0)
    const [newest] = (await sotto.call('conversations/list')) as { id: string }[]
    const { messages } = (await sotto.call('conversations/get', { conversationId: newest?.id })) as {
      messages: { role: string; text: string }[]
    }
    expect(messages.map(({ role, text }) => (role === 'user' ? text : role))).toEqual([
      'First line\n\nThird line and more',
      'assistant',
    ])
  })

  it('Ctrl-D during a reply ends the conversation after that reply', async () => {
    const terminal = open('chat')
    await terminal.shows('> ')
    terminal.type('Hello\r')
    await terminal.shows('Hello')
    terminal.type(CTRL_D)
    await terminal.shows('[Private')
    expect(await terminal.ended).toBe(0)
    expect(terminal.written()).not.toContain('ERR_')
  })

  it('Ctrl-C without a request in progress ends the conversation', async () => {
    const terminal = open('chat')
    await terminal.shows('> ')
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(0)
  })

  it('Ctrl-C during a single question exits with 130', async () => {
    const terminal = open('chat', LONG)
    await terminal.shows(ANSWERING)
    terminal.type(CTRL_C)
    await terminal.shows('Stopped.')
    expect(await terminal.ended).toBe(130)
    await expect.poll(async () => (await outcomes())[0]).toBe('cancelled')
  })
})

describe.runIf(hasTerminal)('a confirmation in a terminal', () => {
  const PROMPT = 'Code from the terminal that runs Sotto: '
  const raise = ['wallet', 'limits', '--per-day', '9000000']
  const asked = (): Promise<unknown> => clientOver(ownerFetch(folder)).confirmations.pending()

  it.each([
    ['Ctrl-C', CTRL_C],
    ['Ctrl-D', CTRL_D],
  ])('%s denies it and withdraws the question', async (_name, key) => {
    const terminal = open(...raise)
    await terminal.shows(PROMPT)
    expect(await asked()).not.toBe(null)
    terminal.type(key)
    await terminal.shows('(confirm/refused)')
    expect(await terminal.ended).toBe(1)
    expect(terminal.written()).not.toContain('AbortError')
    await expect.poll(asked).toBe(null)
  })

  it('is given by the code that the running Sotto shows', async () => {
    const terminal = open(...raise)
    await terminal.shows(PROMPT)
    terminal.type(`${codesIn(sotto.stderr()).at(-1) ?? ''}\r`)
    await terminal.shows('9,000,000 sats in 24 hours')
    expect(await terminal.ended).toBe(0)
  })

  const atFile = (...args: string[]): Terminal =>
    startTerminal(`exec ${shellWords([process.execPath, COMMAND, ...args])} </dev/null`, {
      env: { ...process.env, TERM: 'dumb', SOTTO_DATA_DIR: folder },
    })

  it('takes the code from the terminal if standard input is a file', async () => {
    await using terminal = atFile(...raise.slice(0, -1), '9100000')
    await terminal.shows(PROMPT)
    terminal.type(`${codesIn(sotto.stderr()).at(-1) ?? ''}\r`)
    await terminal.shows('9,100,000 sats in 24 hours')
    expect(await terminal.ended).toBe(0)
  })

  it('is denied by Ctrl-C in the terminal if standard input is a file', async () => {
    await using terminal = atFile(...raise.slice(0, -1), '9200000')
    await terminal.shows(PROMPT)
    terminal.type(CTRL_C)
    await terminal.shows('(confirm/refused)')
    expect(await terminal.ended).toBe(1)
    await expect.poll(asked).toBe(null)
  })

  it('is refused at once if the command has no terminal', async () => {
    const { code, stderr } = await runSotto([...raise.slice(0, -1), '9300000'], { SOTTO_DATA_DIR: folder })
    expect([code, stderr]).toEqual([1, expect.stringContaining('Run the command in a terminal') as string])
    expect(await asked()).toBe(null)
  }, 20_000)
})

describe.runIf(hasTerminal)('a secret typed in a terminal', () => {
  const PASSPHRASE = 'correct horse battery'
  const NEW = 'New passphrase for Sotto’s data'
  const AGAIN = 'Repeat the passphrase: '
  const OPEN = 'Passphrase (Enter: type it in the window)'
  let ownFolder: string
  beforeAll(async () => {
    ownFolder = await mkdtemp(join(tmpdir(), 'sotto-typed-'))
    await placeRoots(join(ownFolder, 'sandbox'))
  })
  afterAll(() => rm(ownFolder, { recursive: true, force: true }))
  const runInOwnFolder = (...args: string[]): Terminal =>
    atTerminal(args, { SOTTO_DATA_DIR: ownFolder, SOTTO_VAULT: 'file', SOTTO_PORT: '0' })
  const keyIn = (text: string): string | undefined => /Local key {2}(sk-sotto-\S+)/.exec(text)?.[1]

  it('creates a vault if it was typed twice, and unlocks it again', async () => {
    const first = runInOwnFolder('serve')
    await first.shows(NEW)
    first.type(`${PASSPHRASE}\r`)
    await first.shows(AGAIN)
    first.type(`${PASSPHRASE}!\r`)
    await first.shows('The passphrases don’t match. Try again.')
    await first.shows(NEW)
    first.type(`${PASSPHRASE}\r`)
    await first.shows(AGAIN)
    first.type(`${PASSPHRASE}\r`)
    await first.shows('To quit Sotto, press Ctrl-C.')
    first.type(CTRL_C)
    expect(await first.ended).toBe(0)

    const second = runInOwnFolder('serve')
    await second.shows(OPEN)
    second.type('not this one\r')
    await second.shows('(vault/wrong-passphrase)')
    await second.shows(OPEN)
    second.type(`${PASSPHRASE}\r`)
    await second.shows('To quit Sotto, press Ctrl-C.')
    second.type(CTRL_C)
    expect(await second.ended).toBe(0)
    expect(keyIn(second.written())).toBe(keyIn(first.written()))
    expect(keyIn(first.written())).toBeDefined()
    expect(first.written() + second.written()).not.toContain(PASSPHRASE)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'a question for it ends at %s, and the terminal echoes again',
    async (name) => {
      const serve = `echo process $$ begins; exec ${shellWords([process.execPath, COMMAND, 'serve'])}`
      await using terminal = startTerminal(`sh -c ${shellWords([serve])}; echo code $?; stty -a`, {
        env: {
          ...process.env,
          TERM: 'dumb',
          SOTTO_DATA_DIR: ownFolder,
          SOTTO_VAULT: 'file',
          SOTTO_PORT: '0',
        },
      })
      await terminal.shows(OPEN)
      process.kill(Number(/process (\d+) /.exec(terminal.written())?.[1]), name)
      await terminal.shows('code 0', 10_000)
      expect(await terminal.ended).toBe(0)
      expect(terminal.written()).toMatch(/ icanon .* echo /)
      expect(terminal.written()).not.toContain('Sotto is ready')
    },
  )

  it('unlocks the vault for one command; an empty passphrase leaves it locked', async () => {
    const opened = runInOwnFolder('keys')
    await opened.shows(OPEN)
    opened.type(`${PASSPHRASE}\r`)
    await opened.shows('(default key, active)')
    expect(await opened.ended).toBe(0)
    const left = runInOwnFolder('keys')
    await left.shows(OPEN)
    left.type('\r')
    await left.shows('(vault/locked)')
    expect(await left.ended).toBe(1)
    expect(opened.written()).not.toContain(PASSPHRASE)
  })

  it('connects an account', async () => {
    const created = await runSotto(['account', 'create', '--json'], { SOTTO_DATA_DIR: folder })
    const {
      credentials: { apiKey, creditId },
    } = dataOf(created.stdout) as { credentials: { apiKey: string; creditId: string } }
    const terminal = open('account', 'connect', '--name', 'Typed')
    await terminal.shows('API key of the account: ')
    terminal.type(`${apiKey}\r`)
    await terminal.shows('(Enter: none): ')
    terminal.type(`${creditId}\r`)
    // It was read whole.
    await terminal.shows('(account/already-exists)')
    expect(await terminal.ended).toBe(1)
    expect(terminal.written()).not.toContain(apiKey)
  })
})

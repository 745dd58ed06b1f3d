import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountCommand } from '../../src/cli/account-command.ts'
import type { ServiceAccount } from '../../src/shared/service-account.ts'
import { codesIn, runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { atTerminal, hasTerminal } from '../process/terminal.ts'
import { dataOf, errorCodeOf } from '../process/command-json.ts'

let folder: string
let files: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-account-'))
  files = await mkdtemp(join(tmpdir(), 'sotto-account-files-'))
  await writeFile(join(files, 'passphrase'), 'several words of mine\n')
  await writeFile(join(files, 'other'), 'several words of yours\n')
  await writeFile(join(files, 'short'), 'few words\n')
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
  await rm(files, { recursive: true, force: true })
})
const account = (args: string[], input = ''): Promise<Finished> =>
  runSotto(['account', ...args], { SOTTO_DATA_DIR: folder }, input)
const json = async <T>(args: string[], input = ''): Promise<T> =>
  dataOf((await account([...args, '--json'], input)).stdout) as T
const list = async () => (await json<{ accounts: ServiceAccount[] }>(['list'])).accounts
const refusal = async (args: string[], input = '') => {
  const { code, stdout } = await account([...args, '--json'], input)
  return [code, errorCodeOf(stdout)]
}
interface Created {
  account: ServiceAccount
  credentials: { apiKey: string; creditId: string }
}
let created: Created

/** A command that waits for the code which the terminal of Sotto shows, and is given it. */
async function confirmed(args: string[], asks: string): Promise<{ code: number | null; shown: string }> {
  await using terminal = atTerminal(['account', ...args], { SOTTO_DATA_DIR: folder })
  await terminal.shows(asks)
  await terminal.shows('Code from the terminal that runs Sotto: ')
  terminal.type(`${codesIn(sotto.stderr()).at(-1) ?? ''}\r`)
  const code = await terminal.ended
  return { code, shown: terminal.written().replaceAll('\r\n', '\n') }
}

it('lists the account that the sandbox created, with masked credentials', async () => {
  const { code, stdout } = await account([])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^[0-9a-f-]{36} {2}Account \(active\): API key sk-…\w{4}; credit ID …\w{4}; added \d{4}-\d\d-\d\d; only saved on this computer\n$/,
    ) as string,
  ])
})

describe('creating an account', () => {
  it('prints the credentials once and activates the account', async () => {
    created = await json<Created>(['create', '--name', 'Second'])
    expect(created).toMatchObject({
      account: { name: 'Second', active: true },
      credentials: { apiKey: expect.stringMatching(/^sk-/) as string },
    })
    const { stdout } = await account(['list'])
    expect(stdout).toContain('Second (active)')
    for (const secret of Object.values(created.credentials)) expect(stdout).not.toContain(secret)
  })

  it('is refused without --json or a terminal to show the credentials on', async () => {
    const { code, stdout, stderr } = await account(['create'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('(request/invalid)')
    expect(await list()).toHaveLength(2)
  })
})

it('activates an account by its name or the beginning of its id, or deactivates all', async () => {
  expect(await json(['use', 'Account'])).toMatchObject({ account: { name: 'Account', active: true } })
  expect((await account(['use', 'none'])).stdout).toBe('No account is active.\n')
  expect(await json(['use', created.account.id.slice(0, 8)])).toMatchObject({
    account: { id: created.account.id, name: 'Second' },
  })
  expect(await refusal(['use', 'nobody'])).toEqual([1, 'account/unknown'])
})

describe('connecting an existing account', () => {
  it('reads the API key and the credit ID from standard input', async () => {
    const { apiKey, creditId } = created.credentials
    expect(await refusal(['connect'], `${apiKey}\n`)).toEqual([1, 'account/already-exists'])
    expect(await json(['forget', 'Second'])).toMatchObject({ forgotten: { id: created.account.id } })
    expect(await list()).toHaveLength(1)
    expect(await json(['connect', '--name', 'Again'], `${apiKey}\r\n${creditId}\r\n`)).toMatchObject({
      account: { name: 'Again', active: true, creditIdMasked: `…${creditId.slice(-4)}` },
    })
  })

  it.each([
    ['nothing', '', 'request/invalid'],
    ['a key that the service does not know', 'sk-of-nobody-here\n', 'service/key-refused'],
    ['more than a key', 'x'.repeat(2000), 'request/invalid'],
    ['a key that could end a header', 'sk-a b c d e f', 'proxy/invalid-request'],
  ])('is refused if the input is %s', async (_what, input, code) => {
    expect(await refusal(['connect'], input)).toEqual([code === 'request/invalid' ? 2 : 1, code])
    expect(await list()).toHaveLength(2)
  })

  it('takes no credentials as arguments', async () => {
    const command = accountCommand()
    for (const each of [command, ...command.commands])
      each.exitOverride().configureOutput({ writeErr: () => undefined })
    await expect(
      command.parseAsync(['connect', 'sk-in-the-history-of-the-shell'], { from: 'user' }),
    ).rejects.toMatchObject({ code: 'commander.excessArguments' })
    await expect(
      command.parseAsync(['create', '--name', 'a\u202eb'], { from: 'user' }),
    ).rejects.toMatchObject({ code: 'commander.invalidArgument' })
  })
})

describe.runIf(hasTerminal)('a backup', () => {
  const path = () => join(files, 'backup.json')
  const withPassphrase = (name: string) => ['--passphrase-file', join(files, name)]

  it.runIf(hasTerminal)(
    'is readable only by its owner, needs a confirmation, and restores the accounts in another Sotto',
    async () => {
      const { code, shown } = await confirmed(
        ['backup', '--output', path(), ...withPassphrase('passphrase')],
        'Confirm: Save all 2 accounts to a file, encrypted',
      )
      expect(code).toBe(0)
      expect(shown).toContain(
        `\nSaved to ${path()}. If you lose its passphrase, the backup can’t be opened.\n`,
      )
      expect((await stat(path())).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
      const text = await readFile(path(), 'utf8')
      for (const secret of [...Object.values(created.credentials), 'several words'])
        expect(`${text}${shown}`).not.toContain(secret)
      const before = await list()
      expect(before).toMatchObject([{ saved: true }, { saved: true }])

      const elsewhere = await mkdtemp(join(tmpdir(), 'sotto-account-elsewhere-'))
      const restored = await runSotto(
        ['account', 'restore', path(), ...withPassphrase('passphrase'), '--json'],
        { SOTTO_DATA_DIR: elsewhere, SOTTO_VAULT: 'file', SOTTO_PASSPHRASE: 'correct horse' },
      )
      expect([restored.code, dataOf(restored.stdout)]).toMatchObject([
        0,
        {
          accounts: [
            { active: true },
            ...before.map(({ id, name }) => ({ id, name, active: false, saved: true })),
          ],
        },
      ])
      await rm(elsewhere, { recursive: true, force: true })
    },
  )

  it('adds no account that is already there', async () => {
    const before = await list()
    expect(await json(['restore', path(), ...withPassphrase('passphrase')])).toEqual({ accounts: before })
  })

  it('never overwrites another file, and leaves no file if it is refused', async () => {
    expect(await refusal(['backup', '--output', path(), ...withPassphrase('passphrase')])).toEqual([
      2,
      'request/invalid',
    ])
    const other = join(files, 'other.json')
    expect(await refusal(['backup', '--output', other, ...withPassphrase('short')])).toEqual([
      2,
      'request/invalid',
    ])
    expect(await refusal(['backup', '--output', other, ...withPassphrase('none')])).toEqual([
      2,
      'request/invalid',
    ])
    expect(existsSync(other)).toBe(false)
  })

  it.each([
    ['of another passphrase', 'backup.json', 'other', 'account/backup-passphrase'],
    ['that is none', 'passphrase', 'passphrase', 'account/backup-invalid'],
    ['that is not there', 'nowhere.json', 'passphrase', 'request/invalid'],
  ])('%s is refused with its code', async (_what, file, passphrase, code) => {
    expect(await refusal(['restore', join(files, file), ...withPassphrase(passphrase)])).toEqual([
      code === 'request/invalid' ? 2 : 1,
      code,
    ])
  })
})

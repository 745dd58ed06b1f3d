import { createPrivateKey, createSecretKey, hkdfSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unseal } from '../../src/core/storage/seal.ts'
import { decryptSecrets, readVaultFile } from '../../src/core/storage/vault/vault-file.ts'
import { masterFromPassphrase, vaultKey } from '../../src/core/storage/vault/vault-key.ts'
import { startScriptedWallet, type ScriptedWallet } from '../core/payments/nwc/scripted-wallet.ts'
import { findInMemory } from './memory-search.ts'
import { codesIn, startSotto, type SottoProcess } from './sotto-process.ts'

const PASSPHRASE = 'a heron and a passphrase'
/** Every address: a machine without a network has no other one beyond loopback. */
const HOST = '0.0.0.0'

let folder: string
let sotto: SottoProcess | undefined
let wallet: ScriptedWallet | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-lock-secrets-'))
})
afterEach(async () => {
  await sotto?.stop('SIGKILL')
  await wallet?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}

/** Enters the newest code when the terminal has shown this many. */
async function confirm(running: SottoProcess, count: number): Promise<void> {
  await expect.poll(() => codesIn(running.stderr()).length, { timeout: 20_000 }).toBe(count)
  const { id } = (await running.call('confirmations/pending')) as { id: string }
  expect(
    await running.call('confirmations/answer', { id, code: codesIn(running.stderr())[count - 1] }),
  ).toEqual({ accepted: true })
}

async function secretsOf(dataDir: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const file = await readVaultFile(dataDir)
  if (typeof file === 'string' || file.header.kind !== 'file')
    throw new Error('there is no vault that a passphrase opens')
  return decryptSecrets(file, vaultKey(await masterFromPassphrase(PASSPHRASE, file.header), file.header))!
}

/** The private key of the certificate: a line of its PEM text within the private part, and the scalar in both orders of its bytes. */
function certificateKeys(secrets: ReadonlyMap<string, Uint8Array>): {
  line: string
  scalar: Buffer
  limbs: Buffer
} {
  const { key } = z
    .object({ key: z.string() })
    .parse(JSON.parse(Buffer.from(secrets.get('tls-certificate')!).toString('utf8')))
  const scalar = Buffer.from(createPrivateKey(key).export({ format: 'jwk' }).d!, 'base64url')
  return { line: key.split('\n')[2]!, scalar, limbs: Buffer.from(scalar).reverse() }
}

/** The store's data key, and the key of the root's row hashes as HMAC pads it. */
function storeKeys(dataDir: string, storeKey: Uint8Array): { dataKey: Buffer; inner: Buffer; outer: Buffer } {
  const database = new DatabaseSync(join(dataDir, 'profiles', 'sandbox', 'sotto.db'), { readOnly: true })
  const { sealed } = z
    .object({ sealed: z.instanceof(Uint8Array) })
    .parse(database.prepare('SELECT sealed FROM data_key').get())
  database.close()
  const dataKey = unseal(createSecretKey(storeKey), 'data_key/sealed/1', sealed)
  const rowKey = new Uint8Array(hkdfSync('sha256', dataKey, '', 'row hashes of the root', 32))
  return {
    dataKey,
    inner: Buffer.from(rowKey.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(rowKey.map((byte) => byte ^ 0x5c)),
  }
}

describe.skipIf(process.platform !== 'linux')('the memory of a locked Sotto', () => {
  it('holds no text or bytes of the passphrase, the wallet’s secret, the certificate’s key or a key of the store; the search would have found them', async () => {
    const passphraseFile = join(folder, 'passphrase')
    await writeFile(passphraseFile, PASSPHRASE, { mode: 0o600 })
    wallet = await startScriptedWallet({
      answer: ({ method }) => ({
        result: method === 'get_balance' ? { balance: 21_000 } : { methods: ['pay_invoice', 'get_balance'] },
      }),
    })
    const dataDir = join(folder, 'data')
    // A passphrase in a variable stays readable in the process's environment (docs/headless.md).
    sotto = await startSotto(dataDir, {
      SOTTO_PASSPHRASE: '',
      SOTTO_PASSPHRASE_FILE: passphraseFile,
      SOTTO_BIND: `${HOST}:${String(await freePort())}`,
      SOTTO_ALLOW_HOST: 'sotto.example',
    })
    const running = sotto
    await confirm(running, 1)
    await expect.poll(() => running.stderr()).toContain('Also at https:')
    const connecting = running.call('wallet/connect', { connection: wallet.connection })
    await confirm(running, 2)
    expect(await connecting).toMatchObject({ connection: { kind: 'nwc' } })
    const secrets = await secretsOf(dataDir)
    const { line, scalar, limbs } = certificateKeys(secrets)
    const needles = {
      passphrase: PASSPHRASE,
      walletText: wallet.clientSecret,
      wallet: Buffer.from(wallet.clientSecret, 'hex'),
      walletLimbs: Buffer.from(wallet.clientSecret, 'hex').reverse(),
      certificate: line,
      scalar,
      limbs,
      cacheRoot: Buffer.from(secrets.get('cache-secret')!),
      ...storeKeys(dataDir, secrets.get('store-key')!),
    }
    for (let locks = 1; locks <= 3; locks++) {
      // A request signs and encrypts with the wallet's secret.
      expect(await running.call('wallet/funds')).toMatchObject({ balance: '21000' })
      expect(await findInMemory(running, needles)).toEqual(
        expect.arrayContaining([
          'cacheRoot',
          'certificate',
          'dataKey',
          'inner',
          'limbs',
          'outer',
          'walletText',
          ...(locks > 1 ? ['passphrase'] : []),
        ]),
      )
      await running.call('vault/lock')
      expect({ locks, found: await findInMemory(running, needles) }).toEqual({ locks, found: [] })

      await running.call('vault/unlock', { passphrase: PASSPHRASE })
      await expect
        .poll(() => running.call('wallet/funds').catch(() => null))
        .toMatchObject({ balance: '21000' })
    }
  }, 300_000)
})

import { spawn } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { secretBytes } from '../core/storage/vault/secret-bytes.ts'
import { readSecretFile } from '../host/private-file.ts'
import { SottoError } from '../shared/errors.ts'
import { tryParseJson } from '../shared/strict-json.ts'

/** 32 bytes in base64 have 44 characters. */
const MAX_KEY_LENGTH = 100
const COMMAND_MS = 10_000

const commandSchema = z
  .array(z.string().max(4096))
  .min(1)
  .max(50)
  .refine(([program = '']) => isAbsolute(program))

/** Whether a key file or a key command is set. */
export function hasVaultKey(environment: NodeJS.ProcessEnv): boolean {
  return ['SOTTO_VAULT_KEY_FILE', 'SOTTO_VAULT_KEY_COMMAND'].some((name) => environment[name] !== undefined)
}

/**
 * Reads the key of the shared vault from the file that SOTTO_VAULT_KEY_FILE names, or from the command in
 * SOTTO_VAULT_KEY_COMMAND, and deletes both variables. The file must be private to its owner. The command is the
 * absolute path of a program, or a JSON array of the path and its arguments. It runs without a shell, for 10 seconds
 * at most, and prints the key.
 * @param timeoutMs of the command
 * @returns 32 bytes, which the caller zeroes
 * @throws {SettingError} the file can't be read, or isn't private
 * @throws {SottoError} vault/key-unavailable – neither or both are set, the command failed, or it's no key. The error
 * has no part of the output.
 */
export async function takeVaultKey(
  environment: NodeJS.ProcessEnv,
  timeoutMs = COMMAND_MS,
): Promise<Uint8Array> {
  const path = environment['SOTTO_VAULT_KEY_FILE']
  const command = environment['SOTTO_VAULT_KEY_COMMAND']
  delete environment['SOTTO_VAULT_KEY_FILE']
  delete environment['SOTTO_VAULT_KEY_COMMAND']
  if ((path === undefined) === (command === undefined)) throw new SottoError('vault/key-unavailable')
  if (path !== undefined) return readVaultKeyFile('SOTTO_VAULT_KEY_FILE', path, environment)
  return readKey((await outputOf(command ?? '', environment, timeoutMs)).trim())
}

/**
 * Reads a key of a shared vault.
 * @param name the setting that names the file, for errors
 * @throws as `takeVaultKey`
 */
export async function readVaultKeyFile(
  name: string,
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<Uint8Array> {
  return readKey(await readSecretFile({ name, path, maxLength: MAX_KEY_LENGTH, environment }))
}

function readKey(base64: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(base64)) throw new SottoError('vault/key-unavailable')
  return secretBytes(base64)
}

function outputOf(text: string, environment: NodeJS.ProcessEnv, timeoutMs: number): Promise<string> {
  const command = commandSchema.safeParse(text.startsWith('[') ? tryParseJson(text) : [text])
  if (!command.success) throw new SottoError('vault/key-unavailable')
  const [program = '', ...values] = command.data
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(program, values, {
    // A group of its own, so that the time limit also ends what the command started.
    detached: process.platform !== 'win32',
    // The hook needs the credentials of its key service, and none of Sotto's.
    env: Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('SOTTO_'))),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const pieces: Buffer[] = []
  const fail = (): void => {
    clearTimeout(limit)
    child.stdout.destroy()
    end(child.pid)
    for (const piece of pieces) piece.fill(0)
    reject(new SottoError('vault/key-unavailable'))
  }
  const limit = setTimeout(fail, timeoutMs)
  child.once('error', fail)
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece)
    if (pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) > MAX_KEY_LENGTH) fail()
  })
  child.once('close', (status) => {
    if (status !== 0) return fail()
    clearTimeout(limit)
    resolve(Buffer.concat(pieces).toString('utf8'))
    for (const piece of pieces) piece.fill(0)
  })
  return promise
}

function end(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

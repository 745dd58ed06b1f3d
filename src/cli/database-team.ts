import {
  acceptOlderRelease,
  connectWallet,
  pinReleases,
  requireApproval,
  resumePayments,
  rotateKey,
  saveApiKey,
} from '../replica/index.ts'
import { readFile } from 'node:fs/promises'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { formatSats } from '../shared/format-money.ts'
import type { SpendingLimitsText } from '../shared/lightning.ts'
import { counted, terminalSafe } from './format.ts'
import { withShared } from './database.ts'
import type { DatabaseOptions } from './database-options.ts'
import { print } from './with-client.ts'

/** `sotto database vault rotate`. Returns the exit code, as the others do. */
export function rotate(file: string, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const secrets = await rotateKey(database, file, process.env)
    print(
      options.json,
      { secrets },
      'The vault has the new key. Restart the replicas with it, one at a time.',
    )
  })
}

/** `sotto database vault api-key`. */
export function setApiKey(file: string, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    await saveApiKey(database, file, process.env)
    print(options.json, {}, 'Saved. Replicas use it when they start.')
  })
}

/** `sotto database wallet connect`. */
export function connectTeamWallet(
  file: string,
  limits: Partial<SpendingLimitsText>,
  options: DatabaseOptions,
): Promise<number> {
  return withShared(options, async (database) => {
    const connected = await connectWallet(database, { file, limits }, process.env)
    print(
      options.json,
      connected,
      `Connected through ${connected.relays.map(terminalSafe).join(', ')}. Limit: ${formatSats(connected.limits.perDay)} in 24 hours.`,
    )
  })
}

/** `sotto database wallet resume`. */
export function resumeTeamPayments(options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const undelivered = await resumePayments(database, process.env)
    print(
      options.json,
      { undelivered },
      `Undelivered payments no longer stop replicas. The journal has ${counted(undelivered, 'undelivered payment', 'undelivered payments')}.`,
    )
  })
}

/** `sotto database releases accept-older`. */
export function acceptOlder(
  release: { readonly host: string; readonly digest: string },
  options: DatabaseOptions,
): Promise<number> {
  return withShared(options, async (database) => {
    await acceptOlderRelease(database, release, process.env)
    print(options.json, {}, 'Accepted. Every replica uses it within 5 seconds.')
  })
}

/** `sotto database releases approval`. */
export function setApproval(required: boolean, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    await requireApproval(database, required, process.env)
    print(options.json, { required }, 'Saved. Every replica uses it within 5 seconds.')
  })
}

/** `sotto database releases pin`. */
export function pin(file: string, options: DatabaseOptions): Promise<number> {
  return withShared(options, async (database) => {
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new SottoError('request/invalid', {
        detail: msg('Couldn’t read the {what} “{path}”.', { what: 'file', path: file }),
        cause,
      })
    })
    await pinReleases(database, text, process.env)
    print(options.json, {}, 'Saved. Every replica uses it within 5 seconds.')
  })
}

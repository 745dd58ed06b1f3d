import { logFailure } from '../host/log/log-failure.ts'
import { readSettings } from '../host/settings.ts'
import { readReplicaSettings, startReplica } from '../replica/index.ts'
import { SottoError } from '../shared/errors.ts'
import { failureOf } from './client.ts'
import { exitOfFailure } from './exit-codes.ts'
import { jsonLine } from './json-output.ts'
import type { ServeOptions } from './serve.ts'
import { untilStopped } from './stoppable.ts'

export interface ServeReplicaOptions extends ServeOptions {
  readonly database: string | undefined
}

/** `sotto serve --database`: runs the local API as one of several replicas until it is stopped. */
export async function serveReplica({
  open: _open,
  json,
  database,
  ...flags
}: ServeReplicaOptions): Promise<void> {
  // The container image sets the passphrase's file. A replica has no vault, so it reads no passphrase.
  const { SOTTO_PASSPHRASE: _text, SOTTO_PASSPHRASE_FILE: _file, ...environment } = process.env
  const settings = await readSettings(environment, flags)
  const logsToStderr = settings.log?.to === 'stderr'
  try {
    await using replica = await startReplica(settings, await readReplicaSettings(database, process.env))
    const stopped = untilStopped()
    const { baseUrl, remoteAccess, service } = replica
    if (json)
      process.stdout.write(
        `${jsonLine({ event: 'ready', proxy: { baseUrl, remote: remoteAccess?.baseUrl ?? null }, service })}\n`,
      )
    else process.stdout.write(`Sotto serves ${remoteAccess?.baseUrl ?? baseUrl} as a replica.\n`)
    await stopped
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    if (logsToStderr) await logFailure(settings, thrown.code)
    if (json) process.stdout.write(`${jsonLine(null, failureOf(thrown) ?? undefined)}\n`)
    // Standard error has only the lines of the log.
    else (logsToStderr ? process.stdout : process.stderr).write(`${thrown.message} (${thrown.code})\n`)
    process.exitCode = exitOfFailure(thrown)
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOver, type CommandClient } from '../../src/cli/client.ts'
import { followJob, hasSettled } from '../../src/cli/studio/follow-job.ts'
import { uploadFile } from '../../src/cli/studio/upload-file.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { startChild } from './child.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import { ResidentWatch } from './resident.ts'
import { wave } from './upload-file.ts'
import type { OwnerReady } from './upload-owner.ts'

const AIM_MB = 60
const SMALL = 100_000
const never = new AbortController().signal

/**
 * A recording of 25 MB from the file to the service, by a core in its own process: uploaded, sealed, sent as
 * a form, answered.
 */
export async function uploadsSent(): Promise<Row[]> {
  const what = 'a recording of 25 MB from its file to the service'
  if (process.platform !== 'linux') return [notMeasured(what, 'MB', 'memory is read from /proc')]
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  try {
    await using service = await startChild<{ readonly port: number }>('sandbox-service.ts')
    await using owner = await startChild<OwnerReady>('upload-owner.ts', {
      argument: { baseUrl: `http://127.0.0.1:${String(service.ready.port)}` },
    })
    const fetch = ownerFetch(owner.ready.dataDir)
    const connection: CommandClient = { client: clientOver(fetch), fetch, ownsDataFolder: false }
    const transcribe = async (name: string, bytes: number): Promise<void> => {
      const file = join(folder, name)
      writeFileSync(file, wave(bytes))
      const { uploadId } = await uploadFile(connection, file, () => undefined, never)
      const { id } = await connection.client.studio.start({
        ask: { kind: 'transcription', file: { uploadId }, format: 'text' },
        pay: 'balance',
      })
      const { state, failure } = await followJob(connection.client, id, {
        enough: hasSettled,
        onChange: () => undefined,
      })
      if (state !== 'done') throw new Error(`it is ${state}: ${failure?.code ?? ''}`)
    }
    // The cost of a file excludes code that is loaded once for the first request.
    await transcribe('small.wav', SMALL)
    using watch = new ResidentWatch(owner.pid)
    const begun = performance.now()
    await transcribe('whole.wav', 25_000_000)
    const seconds = (performance.now() - begun) / 1000
    return [
      {
        what: `${what}: memory of the process above idle, at its peak`,
        value: watch.above,
        unit: 'MB',
        aim: atMost(watch.above, AIM_MB, 'MB'),
        note: `idle ${watch.idle.toFixed(0)} MB`,
      },
      { what: `${what}: until it was answered`, value: seconds, unit: 's' },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { z } from 'zod'
import type { DrillAttempt, DrillEvent } from '../../shared/drill.ts'
import { faultsOn, sandboxPlatformSchema } from '../../shared/sandbox-faults.ts'
import { attempt } from './attempt.ts'
import { openStage, type Stage } from './stage.ts'

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** On every platform the control, and then each fault that means something there. */
function planDrill(): DrillAttempt[] {
  return sandboxPlatformSchema.options.flatMap((platform) => [null, ...faultsOn(platform)].map((fault) => ({ platform, fault })))
}

/**
 * Plays every fault of the sandbox against this installation's own verifier and channel, and tells what became of each.
 * Needs no network and touches nothing of the user's. Ends, and leaves nothing behind, when the signal is aborted or the
 * iteration left.
 */
export async function* runDrill(signal: AbortSignal, open: () => Promise<Stage> = openStage): AsyncGenerator<DrillEvent, void> {
  const attempts = planDrill()
  yield { type: 'planned', attempts }
  await using stage = await open()
  await unlessAborted(stage.sandbox.trust(), signal)
  const model = await privateModel(stage, signal)
  let held = 0
  for (const [index, each] of attempts.entries()) {
    signal.throwIfAborted()
    yield { type: 'started', index }
    const result = await attempt(stage, model, each, signal)
    if (result.held) held += 1
    yield { type: 'finished', index, result }
  }
  yield { type: 'ended', held, attempts: attempts.length }
}

async function privateModel({ core, fetch }: Stage, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${core.proxy.baseUrl}/models`, {
    method: 'GET', headers: { authorization: `Bearer ${core.localKey()}` }, redirect: 'manual', signal,
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) chunks.push(chunk)
  const listed = modelsSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  const model = listed.data.find(({ id }) => id.startsWith('private/'))
  if (!model) throw new Error('the sandbox lists no private model')
  return model.id
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

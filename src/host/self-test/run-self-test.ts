import { z } from 'zod'
import type { SelfTestAttempt, SelfTestEvent, SelfTestResult } from '../../shared/self-test.ts'
import {
  faultsOn,
  sandboxPlatformSchema,
  serviceEnclaveFaultNames,
  type SandboxFault,
  type ServiceEnclaveFault,
} from '../../shared/sandbox-faults.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import { attempt } from './attempt.ts'
import { relayedAttempt } from './relayed-attempt.ts'
import { createStage, type Stage } from './stage.ts'

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) })

/** For each enclave the control, and then each fault that means something there. */
function planSelfTest(): SelfTestAttempt[] {
  return [
    ...sandboxPlatformSchema.options.flatMap((platform) =>
      [null, ...faultsOn(platform)].map((fault) => ({ platform, fault })),
    ),
    ...[null, ...serviceEnclaveFaultNames].map((fault) => ({ platform: 'service-enclave' as const, fault })),
  ]
}

function play(
  stage: Stage,
  models: Models,
  { platform, fault }: SelfTestAttempt,
  signal: AbortSignal,
): Promise<SelfTestResult> {
  if (platform !== 'service-enclave') return attempt(stage, models.private, { platform, fault }, signal)
  if (fault !== null && !isOfServiceEnclave(fault))
    throw new RangeError(`${fault} means nothing for the service's own enclave`)
  return relayedAttempt(stage, models.open, fault, signal)
}

function isOfServiceEnclave(fault: SandboxFault): fault is ServiceEnclaveFault {
  return serviceEnclaveFaultNames.some((known) => known === fault)
}

interface Models {
  readonly private: string
  readonly open: string
}

/**
 * Simulates every fault of the sandbox against this installation's own verifier and channel, and reports
 * each result. Needs no network and changes no data of the user. Ends and cleans up when the signal is
 * aborted or the iteration ends.
 */
export async function* runSelfTest(
  signal: AbortSignal,
  open: () => Promise<Stage> = createStage,
): AsyncGenerator<SelfTestEvent, void> {
  const attempts = planSelfTest()
  yield { type: 'planned', attempts }
  await using stage = await open()
  await unlessAborted(stage.sandbox.trust(), signal)
  const models = await listedModels(stage, signal)
  let passed = 0
  for (const [index, each] of attempts.entries()) {
    signal.throwIfAborted()
    yield { type: 'started', index }
    const result = await play(stage, models, each, signal)
    if (result.held) passed += 1
    yield { type: 'finished', index, result }
  }
  yield { type: 'ended', held: passed, attempts: attempts.length }
}

async function listedModels({ core, fetch }: Stage, signal: AbortSignal): Promise<Models> {
  const response = await fetch(`${core.proxy.baseUrl}/models`, {
    method: 'GET',
    headers: { authorization: `Bearer ${core.localKey()}` },
    redirect: 'manual',
    signal,
  })
  const body = Buffer.from(await readBytes(response.body, Infinity))
  const listed = modelsSchema.parse(JSON.parse(body.toString('utf8')))
  const ids = listed.data.map(({ id }) => id)
  const sealed = ids.find(isPrivateModel)
  const open = ids.find((id) => !isPrivateModel(id))
  if (sealed === undefined || open === undefined)
    throw new Error('the sandbox doesn’t list a model of each kind')
  return { private: sealed, open }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

import { expect } from 'vitest'
import type { Failure } from '../../../src/shared/contract/sotto-contract.ts'
import type { Job, JobState, PayWay, Upload } from '../../../src/shared/job.ts'
import { startWorld, type World, type WorldOptions } from '../../world.ts'

export const BRUSH = 'sandbox/bozzetto-image'
/** Also accepts an image, with qualities and resolutions. */
export const PAINTER = 'sandbox/affresco-image'
export const UPSCALER = 'sandbox/lente-upscale'
const HIGH = '900000000'

export interface StudioWorld extends World {
  readonly revision: 'A' | 'B'
  readonly pay: PayWay
}

/** Starts a world whose jobs are paid in one way: from an account's balance, or per request without an account. */
export async function startStudioWorld(
  revision: 'A' | 'B',
  pay: PayWay,
  options: WorldOptions = {},
): Promise<StudioWorld> {
  const world = await startWorld({
    ...options,
    revision,
    profile: (profile) => ({ ...profile, revision, alternativeBaseUrl: profile.baseUrl }),
  })
  if (pay === 'single') {
    await world.call('accounts/disconnect')
    await world.call('wallet/connectSandbox')
    await world.call('wallet/setLimits', {
      perPayment: HIGH,
      perDay: HIGH,
      perHostAndDay: HIGH,
      automaticUpTo: HIGH,
    })
  }
  return { ...world, revision, pay, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/**
 * Learns the value of a satoshi from the service, through an unpaid Lightning top-up in dollars. For a world
 * without an account.
 */
export async function learnRate(world: World): Promise<void> {
  await world.call('accounts/create', {})
  expect(
    await world.call('topups/create', { method: 'btc-lightning', amount: '5', currency: 'USD' }),
  ).toMatchObject({ id: expect.any(String) as string })
  await world.call('accounts/disconnect')
}

export const codeOf = (answer: unknown): string => (answer as { data?: Failure }).data?.code ?? 'not refused'
export const get = async (world: World, jobId: string): Promise<Job> =>
  (await world.call('studio/get', { jobId })) as Job

/** Waits until the job has this state. */
export async function until(world: World, jobId: string, state: JobState): Promise<Job> {
  await expect.poll(async () => (await get(world, jobId)).state, { timeout: 20_000 }).toBe(state)
  return get(world, jobId)
}

export async function start(world: StudioWorld, ask: object, more: object = {}): Promise<Job> {
  return (await world.call('studio/start', { ask, pay: world.pay, ...more })) as Job
}

/** Starts a job, pays it if that is required, and waits for its end. */
export async function make(world: StudioWorld, ask: object): Promise<Job> {
  const job = await start(world, ask)
  if (codeOf(job) !== 'not refused') throw new Error(codeOf(job))
  if (world.pay === 'single') {
    expect(job).toMatchObject({ state: 'ready', may: ['pay', 'stop'], purchase: { state: 'quoted' } })
    await world.call('studio/pay', { jobId: job.id })
  }
  return until(world, job.id, 'done')
}

export function at(world: World, path: string, init: RequestInit = {}): Promise<Response> {
  return world.core.files(new Request(`http://sotto.invalid${path}`, init))
}

export async function upload(
  world: World,
  name: string,
  bytes: Uint8Array,
): Promise<Upload | { code: string }> {
  const begun = await world.call('studio/upload/begin', { name, size: bytes.byteLength })
  if (codeOf(begun) !== 'not refused') return { code: codeOf(begun) }
  const response = await at(world, (begun as { path: string }).path, {
    method: 'PUT',
    body: new Uint8Array(bytes),
  })
  return (await response.json()) as Upload
}

export async function uploaded(world: World, name: string, bytes: Uint8Array): Promise<{ uploadId: string }> {
  const { uploadId } = (await upload(world, name, bytes)) as Upload
  return { uploadId }
}

/** The bytes of a job's file, through a new link. */
export async function bytesOf(world: World, jobId: string, index: number): Promise<Buffer> {
  const { path } = (await world.call('studio/link', { jobId, index })) as { path: string }
  const response = await at(world, path)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** The number of requests that could cost something and that reached the service. */
export function sentTo(world: World, path: string): number {
  return world.sandbox
    .received()
    .filter((request) => request.method === 'POST' && request.path.endsWith(path)).length
}

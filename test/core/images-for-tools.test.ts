import { afterEach, expect, test, vi } from 'vitest'
import { clientOf } from '../../src/cli/client.ts'
import { createToolServices } from '../../src/core/images-for-tools.ts'
import { Jobs, type JobChange } from '../../src/core/jobs/jobs.ts'
import { createStore } from '../../src/core/storage/index.ts'
import { ChangeFeed } from '../../src/shared/change-feed.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { startWorld } from '../world.ts'
import { KEY } from './storage/examples.ts'
import { job } from './storage/job-examples.ts'

const never = new AbortController().signal
const prompt = { prompt: 'an otter', conversationId: 'c', model: 'brush', most: '5' }
const unused = () => Promise.reject(new Error('not used'))

/** The feed of all changes of jobs. */
function watchedFeed(): ChangeFeed<JobChange> {
  const feed = new ChangeFeed<JobChange>()
  vi.spyOn(Jobs.prototype, 'changes').mockImplementation((signal) => feed.read(signal))
  return feed
}

function imagesOf(start: (jobs: Jobs) => ReturnType<typeof job>) {
  const store = createStore({ folder: null, key: KEY, now: Date.now })
  const jobs = new Jobs(store.jobs, Date.now)
  const relay = {
    chat: unused,
    listed: unused,
    models: { all: unused, find: unused },
  }
  const studio = { jobs, estimate: unused, start: () => Promise.resolve(start(jobs)) }
  return { images: createToolServices(relay, studio).images, [Symbol.dispose]: () => store.close() }
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('an image that can’t start leaves no reader of changes behind', async () => {
  const feed = watchedFeed()
  using world = imagesOf(() => {
    expect(feed.isWatched).toBe(true)
    throw new SottoError('service/insufficient-balance')
  })
  await expect(world.images.make(prompt, never)).rejects.toMatchObject({
    code: 'service/insufficient-balance',
  })
  expect(feed.isWatched).toBe(false)
})

test('an image whose job is lost leaves no reader of changes behind', async () => {
  const feed = watchedFeed()
  using world = imagesOf(() => job('gone'))
  await expect(world.images.make(prompt, never)).rejects.toMatchObject({ code: 'studio/unknown' })
  expect(feed.isWatched).toBe(false)
})

test('a window that can’t get the open jobs leaves no reader of changes behind', async () => {
  await using world = await startWorld()
  const feed = new ChangeFeed<JobChange>()
  vi.spyOn(Jobs.prototype, 'changes').mockImplementation(function (this: Jobs, signal) {
    vi.spyOn(this.store, 'open').mockImplementation(() => {
      throw new SottoError('store/damaged')
    })
    return feed.read(signal)
  })
  const reading = (await clientOf(world.core).studio.watch()).next()
  await expect(reading).rejects.toThrow()
  await expect.poll(() => feed.isWatched, { timeout: 2000 }).toBe(false)
})

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '../../src/shared/contract/sotto-contract.ts'
import type { DataEndpoint } from '../../src/shared/contract/purchases.ts'
import type { Job } from '../../src/shared/job.ts'
import { sniffMedia } from '../../src/shared/sniff-media.ts'
import { png } from '../core/studio/image-bytes.ts'
import { BRUSH, PAINTER, sentTo } from '../core/studio/studio-world.ts'
import { said, startOwnedWorld, type OwnedWorld } from './owned-world.ts'

const CLIP = 'sandbox/carosello-video'
interface Answer {
  readonly job: Job
  readonly files?: string[]
  readonly error?: Failure
  readonly answer?: { readonly people?: unknown }
}

describe.each([['A', 'balance'], ['A', 'single'], ['B', 'balance'], ['B', 'single']] as const)('commands that have something made, Revision %s, %s', (revision, pay) => {
  let world: OwnedWorld
  let folder: string
  beforeAll(async () => {
    world = await startOwnedWorld(revision, pay)
    folder = await mkdtemp(join(tmpdir(), 'sotto-made-'))
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const payment = pay === 'single' ? ['--pay', 'single', '--yes'] : []
  const paidFor = (job: Job): string | undefined => (pay === 'single' ? job.paidMsat : job.cost)

  it('an image is made, and saved where it was told to be', async () => {
    const file = join(folder, 'otter.png')
    const made = await world.sotto(['image', 'an otter', '--model', BRUSH, ...payment, '--out', file])
    expect([made.code, made.stdout]).toEqual([0, `${file}\n`])
    expect(made.stderr).toContain(' by the listing.\n')
    if (pay === 'single') expect(made.stderr).toMatch(/The service asks for [\d,.]+ sat \(.*\), to /)
    // No terminal: no line that is drawn over.
    expect(made.stderr).not.toContain('\u001b')
    expect(sniffMedia(await readFile(file))).toBe('image/png')
    const before = sentTo(world, '/images/generations')
    const again = await world.sotto(['image', 'another', '--model', BRUSH, ...payment, '--out', file])
    expect([again.code, again.stdout]).toEqual([2, ''])
    expect(again.stderr).toContain('It is there already, and is not written over')
    expect(sentTo(world, '/images/generations')).toBe(before)
    const forced = await world.sotto(['image', 'another', '--model', BRUSH, ...payment, '--out', file, '--force', '--json'])
    const { job, files } = said<Answer>(forced)
    expect([forced.code, job.state, files]).toEqual([0, 'done', [file]])
    expect(paidFor(job)).toMatch(/^\d+$/)
  })

  it('an image is changed, without what a camera wrote into it; several go into a folder', async () => {
    const source = join(folder, 'source.png')
    await writeFile(source, png(600, 400, 'taken at 47.5 N'))
    const into = await mkdtemp(join(folder, 'several-'))
    const made = await world.sotto(['image', 'in ink', '--model', PAINTER, '--image', source, '-n', '2', ...payment, '--out', into, '--json'])
    const { job, files } = said<Answer>(made)
    expect([made.code, files?.map((path) => path.slice(into.length + 1)).sort()]).toEqual([0, (await readdir(into)).sort()])
    expect(files).toHaveLength(2)
    const sent = await world.sotto(['jobs', 'save', job.id, '--file', '10000', '--out', join(into, 'sent.png')])
    expect(sent.code).toBe(0)
    expect(await readFile(join(into, 'sent.png'))).toEqual(png(600, 400))
  })

  it('a clip is waited for until it is there, and saved later', async () => {
    const made = await world.sotto(['video', 'an otter swims', '--model', CLIP, ...payment, '--json'])
    const { job } = said<Answer>(made)
    expect([made.code, job.state, job.kind]).toEqual([0, 'done', 'video'])
    const saved = await world.sotto(['jobs', 'save', job.id.slice(0, 8), '--out', `${folder}/clip.mp4`])
    expect([saved.code, saved.stdout]).toEqual([0, `${folder}/clip.mp4\n`])
    expect(sniffMedia(await readFile(`${folder}/clip.mp4`))).toBe('video/mp4')
  })

  it('data is listed with its prices, and asked for by fields; its answer is what is printed', async () => {
    const listed = said<{ endpoints: DataEndpoint[] }>(await world.sotto(['data', '--json']))
    expect(listed.endpoints.some(({ path }) => path === '/x/tweets/search')).toBe(revision === 'A')
    expect((await world.sotto(['data'])).stdout).toMatch(/^POST \/api\/people\/people-search +\$0\.023 {2}/m)
    const { code, stdout } = await world.sotto(['data', 'api/people/people-search', 'q_keywords=otter keeper', 'per_page:=2', '--input', '{"person_locations":["Basel"]}', ...payment])
    expect([code, typeof JSON.parse(stdout)]).toEqual([0, 'object'])
    const got = said<Answer>(await world.sotto(['data', '/api/maps/place-details/partial', 'placeId=abc', ...payment, '--json']))
    expect(got).toMatchObject({ job: { ask: { method: 'GET', input: { placeId: 'abc' } } }, answer: {} })
    if (revision === 'A') expect((await world.sotto(['data', '/x/tweets/search', 'query=otters', ...payment])).code).toBe(0)
  })

  it('what could cost more than was allowed is refused before anything is sent', async () => {
    const before = world.sandbox.received().filter(({ method }) => method === 'POST').length
    const refused = await world.sotto(['image', 'an otter', '--model', BRUSH, ...payment, '--max-cost', '0.001', '--json'])
    expect([refused.code, said<Answer>(refused).error?.code]).toEqual([1, 'studio/above-cap'])
    expect(world.sandbox.received().filter(({ method }) => method === 'POST')).toHaveLength(before)
    if (pay === 'balance') expect((await world.sotto(['image', 'an otter', '--model', BRUSH, '--max-cost', '$0.02'])).code).toBe(0)
  })

  if (pay === 'single') {
    it('nothing is paid where nobody can say yes, nor where nobody knows what the satoshis are in dollars; and it is given up', async () => {
      const spent = await world.call('wallet/get')
      const unasked = await world.sotto(['image', 'an otter', '--model', BRUSH, '--pay', 'single', '--json'])
      expect([unasked.code, said<Answer>(unasked).error?.code]).toEqual([1, 'payment/refused'])
      const capped = await world.sotto(['image', 'an otter', '--model', BRUSH, ...payment, '--max-cost', '5', '--json'])
      expect([capped.code, said<Answer>(capped).error?.code]).toEqual([1, 'studio/price-unknown'])
      const { jobs } = said<{ jobs: Job[] }>(await world.sotto(['jobs', 'list', '--limit', '2', '--json']))
      expect(jobs.map(({ state }) => state)).toEqual(['stopped', 'stopped'])
      expect(await world.call('wallet/get')).toEqual(spent)
    })
    it('what is sold from a balance alone has no other way', async () => {
      expect(await world.sotto(['speak', 'Hello.', '--pay', 'single'])).toMatchObject({ code: 1, stderr: expect.stringContaining('unknown option') as string })
    })
  } else {
    it('a text is spoken, and what was said is written down again', async () => {
      const file = join(folder, 'hello.wav')
      const spoken = await world.sotto(['speak', '--out', file], 'The tide comes in. Does it go out again?\n')
      expect([spoken.code, spoken.stdout]).toEqual([0, `${file}\n`])
      expect((await world.sotto(['speak', '--voices'])).stdout).toMatch(revision === 'B' ? /^voice {2}\S+ {2}en/m : /^None is listed: the service chooses\.$/m)
      const heard = await world.sotto(['transcribe', file])
      expect([heard.code, heard.stdout]).toEqual([0, 'The tide comes in. Does it go out again?\n'])
      const timed = join(folder, 'hello.srt')
      expect((await world.sotto(['transcribe', file, '--format', 'srt', '--out', timed])).code).toBe(0)
      expect(await readFile(timed, 'utf8')).toMatch(/^1\r?\n00:00:00,000 --> /)
    })
  }

  it('the same is asked for again as another job; what is there is listed, exported and removed', async () => {
    const first = said<Answer>(await world.sotto(['image', 'a heron', '--model', BRUSH, ...payment, '--json'])).job
    const again = said<Answer>(await world.sotto(['image', '--again', first.id.slice(0, 8), ...(pay === 'single' ? ['--yes'] : []), '--json']))
    expect(again.job).toMatchObject({ state: 'done', pay, ask: first.ask })
    expect(again.job.id).not.toBe(first.id)
    expect((await world.sotto(['video', '--again', first.id])).code).toBe(2)
    const list = await world.sotto(['jobs', 'list', 'heron'])
    expect(list.stdout.trim().split('\n').map((line) => line.slice(0, 36))).toEqual([again.job.id, first.id])
    const exported = await world.sotto(['jobs', 'export', first.id, again.job.id, '--out', join(folder, 'herons.zip')])
    expect(exported.code).toBe(0)
    expect((await readFile(join(folder, 'herons.zip'))).subarray(0, 2).toString()).toBe('PK')
    expect((await world.sotto(['jobs', 'export', first.id, '--out', '-'])).stdout.slice(0, 2)).toBe('PK')
    expect(said(await world.sotto(['jobs', 'remove', first.id, '--json']))).toEqual({ removed: [first.id], kept: [] })
    expect(await world.sotto(['jobs', 'get', first.id])).toMatchObject({ code: 2, stdout: '' })
  })
})

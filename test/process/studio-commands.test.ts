import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '../../src/shared/contract/sotto-contract.ts'
import type { DataEndpoint } from '../../src/shared/contract/purchases.ts'
import type { Job } from '../../src/shared/job.ts'
import { sniffMedia } from '../../src/shared/sniff-media.ts'
import { png } from '../core/jobs/image-bytes.ts'
import { BRUSH, PAINTER, sentTo } from '../core/jobs/studio-world.ts'
import { parseStdout, startOwnedWorld, type OwnedWorld } from './owned-world.ts'

const CLIP = 'sandbox/carosello-video'
interface Answer {
  readonly job: Job & { readonly costUsd?: string }
  readonly files?: string[]
  readonly error?: Failure
  readonly answer?: { readonly people?: unknown }
}

describe.each([
  ['A', 'balance'],
  ['A', 'single'],
  ['B', 'balance'],
  ['B', 'single'],
] as const)('the commands of Studio and Data, Revision %s, %s', (revision, pay) => {
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
  const paidFor = (job: Answer['job']): string | undefined => (pay === 'single' ? job.paidMsat : job.costUsd)

  it('an image is generated, and saved at the requested path', async () => {
    const file = join(folder, 'otter.png')
    const result = await world.sotto(['image', 'an otter', '--model', BRUSH, ...payment, '--out', file])
    expect([result.code, result.stdout]).toEqual([0, `${file}\n`])
    expect(result.stderr).toMatch(/^Costs (?:up to )?[$\d.¢]+(?: – \$[\d.]+)?(?: \(up to \$[\d.]+\))?\./m)
    if (pay === 'single') expect(result.stderr).toMatch(/The price is [\d,.]+ sats \(.*\), paid to /)
    // No terminal: no line that is drawn over.
    expect(result.stderr).not.toContain('\u001b')
    expect(sniffMedia(await readFile(file))).toBe('image/png')
    const before = sentTo(world, '/images/generations')
    const again = await world.sotto(['image', 'another', '--model', BRUSH, ...payment, '--out', file])
    expect([again.code, again.stdout]).toEqual([2, ''])
    expect(again.stderr).toContain(' already exists. Name another file, or use --force to overwrite it.')
    expect(sentTo(world, '/images/generations')).toBe(before)
    const forced = await world.sotto([
      'image',
      'another',
      '--model',
      BRUSH,
      ...payment,
      '--out',
      file,
      '--force',
      '--json',
    ])
    const { job, files } = parseStdout(forced) as Answer
    expect([forced.code, job.state, files]).toEqual([0, 'done', [file]])
    expect(paidFor(job)).toMatch(/^[\d.]+$/)
  })

  it('an image is edited without its camera metadata, and several images are saved in a folder', async () => {
    const source = join(folder, 'source.png')
    await writeFile(source, png(600, 400, 'taken at 47.5 N'))
    const into = await mkdtemp(join(folder, 'several-'))
    const result = await world.sotto([
      'image',
      'in ink',
      '--model',
      PAINTER,
      '--image',
      source,
      '-n',
      '2',
      ...payment,
      '--out',
      into,
      '--json',
    ])
    const { job, files } = parseStdout(result) as Answer
    expect([result.code, files?.map((path) => path.slice(into.length + 1)).sort()]).toEqual([
      0,
      (await readdir(into)).sort(),
    ])
    expect(files).toHaveLength(2)
    const sent = await world.sotto([
      'jobs',
      'save',
      job.id,
      '--file',
      '10000',
      '--out',
      join(into, 'sent.png'),
    ])
    expect(sent.code).toBe(0)
    expect(await readFile(join(into, 'sent.png'))).toEqual(png(600, 400))
  })

  it('a video is waited for until it is complete, and saved later', async () => {
    const result = await world.sotto(['video', 'an otter swims', '--model', CLIP, ...payment, '--json'])
    const { job } = parseStdout(result) as Answer
    expect([result.code, job.state, job.kind]).toEqual([0, 'done', 'video'])
    const saved = await world.sotto(['jobs', 'save', job.id.slice(0, 8), '--out', `${folder}/clip.mp4`])
    expect([saved.code, saved.stdout]).toEqual([0, `${folder}/clip.mp4\n`])
    expect(sniffMedia(await readFile(`${folder}/clip.mp4`))).toBe('video/mp4')
  })

  it('data endpoints are listed with their prices, and requested by fields; the response is printed', async () => {
    const listed = parseStdout(await world.sotto(['data', '--json'])) as { endpoints: DataEndpoint[] }
    expect(listed.endpoints.some(({ path }) => path === '/x/tweets/search')).toBe(revision === 'A')
    expect((await world.sotto(['data'])).stdout).toMatch(/^POST \/api\/people\/people-search +\$0\.023 {2}/m)
    const { code, stdout } = await world.sotto([
      'data',
      'api/people/people-search',
      'q_keywords=otter keeper',
      'per_page:=2',
      '--input',
      '{"person_locations":["Basel"]}',
      ...payment,
    ])
    expect([code, typeof JSON.parse(stdout)]).toEqual([0, 'object'])
    const got = parseStdout(
      await world.sotto(['data', '/api/maps/place-details/partial', 'placeId=abc', ...payment, '--json']),
    ) as Answer
    expect(got).toMatchObject({ job: { ask: { method: 'GET', input: { placeId: 'abc' } } }, answer: {} })
    if (revision === 'A')
      expect((await world.sotto(['data', '/x/tweets/search', 'query=otters', ...payment])).code).toBe(0)
  })

  it('a table is sent row by row after a dry run that sends nothing, and a row with an invalid value is never sent', async () => {
    const table = join(folder, 'rows.csv')
    await writeFile(table, 'name;where;count\n"otter; keeper";Basel;2\nheron;Bern;3\nfox;Zug;many\n')
    const ask = [
      'data',
      '/api/people/people-search',
      '--batch',
      table,
      '--map',
      'q_keywords=name',
      '--map',
      'person_locations=where:list',
      '--map',
      'per_page=3:number',
    ]
    const before = sentTo(world, '/people-search')
    const dry = await world.sotto([...ask, '--dry-run', '--json'])
    expect([dry.code, parseStdout(dry) as object]).toMatchObject([
      0,
      { estimate: { cost: { mostUsd: '0.046' }, counted: { of: 3, unusable: 1 } } },
    ])
    expect((await world.sotto([...ask, '--dry-run', '--max-cost', '0.04'])).code).toBe(1)
    expect((await world.sotto([...ask, '--map', 'x=nobody'])).stderr).toContain(
      'The table has no column “nobody”.',
    )
    expect(sentTo(world, '/people-search')).toBe(before)

    const results = join(folder, 'results.json')
    const ran = await world.sotto([
      ...ask,
      ...payment,
      ...(pay === 'balance' ? ['--max-cost', '1'] : []),
      '--out',
      results,
      '--json',
    ])
    const { job, files, error } = parseStdout(ran) as Answer
    expect([ran.code, job.state, job.rows, error?.code, files]).toEqual([
      1,
      'failed',
      { done: 2, failed: 1, unknown: 0 },
      'studio/rows-failed',
      [results],
    ])
    expect(JSON.parse(await readFile(results, 'utf8'))).toHaveLength(3)
    const sent = sentTo(world, '/people-search')
    expect(
      (parseStdout(await world.sotto(['data', '--resume', job.id, '--rows', 'failed', '--json'])) as Answer)
        .job.rows,
    ).toEqual({ done: 2, failed: 1, unknown: 0 })
    expect(sentTo(world, '/people-search')).toBe(sent)
    expect((await world.sotto(['jobs', 'save', job.id, '--out', join(folder, 'results.csv')])).code).toBe(0)
    expect(await readFile(join(folder, 'results.csv'), 'utf8')).toContain('otter; keeper')
  })

  it('a request that could cost more than the limit is refused before anything is sent', async () => {
    const before = world.sandbox.received().filter(({ method }) => method === 'POST').length
    const refused = await world.sotto([
      'image',
      'an otter',
      '--model',
      BRUSH,
      ...payment,
      '--max-cost',
      '0.001',
      '--json',
    ])
    expect([refused.code, (parseStdout(refused) as Answer).error?.code]).toEqual([1, 'studio/above-cap'])
    expect(world.sandbox.received().filter(({ method }) => method === 'POST')).toHaveLength(before)
    if (pay === 'balance')
      expect((await world.sotto(['image', 'an otter', '--model', BRUSH, '--max-cost', '$0.02'])).code).toBe(0)
  })

  if (pay === 'single') {
    it('nothing is paid without a confirmation, or without an exchange rate for the limit, and the job is stopped', async () => {
      const spent = await world.call('wallet/get')
      const unasked = await world.sotto(['image', 'an otter', '--model', BRUSH, '--pay', 'single', '--json'])
      expect([unasked.code, (parseStdout(unasked) as Answer).error?.code]).toEqual([1, 'payment/refused'])
      const capped = await world.sotto([
        'image',
        'an otter',
        '--model',
        BRUSH,
        ...payment,
        '--max-cost',
        '5',
        '--json',
      ])
      expect([capped.code, (parseStdout(capped) as Answer).error?.code]).toEqual([1, 'studio/price-unknown'])
      const { jobs } = parseStdout(await world.sotto(['jobs', 'list', '--limit', '2', '--json'])) as {
        jobs: Job[]
      }
      expect(jobs.map(({ state }) => state)).toEqual(['stopped', 'stopped'])
      expect(await world.call('wallet/get')).toEqual(spent)
    })
    it('a command that needs a balance has no other payment option', async () => {
      expect(await world.sotto(['speak', 'Hello.', '--pay', 'single'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('unknown option') as string,
      })
    })
  } else {
    it('a text is spoken, and the speech is transcribed', async () => {
      const file = join(folder, 'hello.wav')
      const spoken = await world.sotto(['speak', '--out', file], 'The tide comes in. Does it go out again?\n')
      expect([spoken.code, spoken.stdout]).toEqual([0, `${file}\n`])
      expect((await world.sotto(['speak', '--voices'])).stdout).toMatch(
        revision === 'B'
          ? /^voice {2}\S+ {2}en/m
          : /^The service lists no models or voices\. It chooses them itself\.$/m,
      )
      const heard = await world.sotto(['transcribe', file])
      expect([heard.code, heard.stdout]).toEqual([0, 'The tide comes in. Does it go out again?\n'])
      const timed = join(folder, 'hello.srt')
      expect((await world.sotto(['transcribe', file, '--format', 'srt', '--out', timed])).code).toBe(0)
      expect(await readFile(timed, 'utf8')).toMatch(/^1\r?\n00:00:00,000 --> /)
    })
  }

  if (revision === 'B' && pay === 'balance') {
    it('lines, or a column, become embeddings', async () => {
      const file = join(folder, 'vectors.npy')
      const result = await world.sotto(
        ['embed', '--model', 'sandbox/eco-embedding-small', '--out', file],
        'one\n\ntwo\nthree\n',
      )
      expect([result.code, result.stdout]).toEqual([0, `${file}\n`])
      expect((await readFile(file)).subarray(0, 6).toString('latin1')).toBe('\u0093NUMPY')
      const table = join(folder, 'texts.csv')
      await writeFile(table, 'id,text\n1,"a ""quoted"" one"\n2,another\n')
      const column = await world.sotto([
        'embed',
        table,
        '--column',
        'text',
        '--model',
        'sandbox/eco-embedding-small',
        '--json',
      ])
      expect([column.code, (parseStdout(column) as Answer).job.vectors?.count]).toEqual([0, 2])
      expect(
        (
          await world.sotto([
            'jobs',
            'save',
            (parseStdout(column) as Answer).job.id,
            '--out',
            join(folder, 'vectors.csv'),
          ])
        ).code,
      ).toBe(0)
      expect(await readFile(join(folder, 'vectors.csv'), 'utf8')).toContain('another')
    })
  }

  it('a job is repeated as another job, and jobs are listed, exported and removed', async () => {
    const first = (
      parseStdout(await world.sotto(['image', 'a heron', '--model', BRUSH, ...payment, '--json'])) as Answer
    ).job
    const again = parseStdout(
      await world.sotto([
        'image',
        '--again',
        first.id.slice(0, 8),
        ...(pay === 'single' ? ['--yes'] : []),
        '--json',
      ]),
    ) as Answer
    expect(again.job).toMatchObject({ state: 'done', pay, ask: first.ask })
    expect(again.job.id).not.toBe(first.id)
    expect((await world.sotto(['video', '--again', first.id])).code).toBe(2)
    const list = await world.sotto(['jobs', 'list', 'heron'])
    expect(
      list.stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 36)),
    ).toEqual([again.job.id, first.id])
    const exported = await world.sotto([
      'jobs',
      'export',
      first.id,
      again.job.id,
      '--out',
      join(folder, 'herons.zip'),
    ])
    expect(exported.code).toBe(0)
    expect((await readFile(join(folder, 'herons.zip'))).subarray(0, 2).toString()).toBe('PK')
    expect((await world.sotto(['jobs', 'export', first.id, '--out', '-'])).stdout.slice(0, 2)).toBe('PK')
    expect(parseStdout(await world.sotto(['jobs', 'remove', first.id, '--json']))).toEqual({
      removed: [first.id],
      kept: [],
    })
    expect(await world.sotto(['jobs', 'get', first.id])).toMatchObject({ code: 2, stdout: '' })
  })
})

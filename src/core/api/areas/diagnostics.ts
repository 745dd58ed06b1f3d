import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import { faultReport } from '../fault-report.ts'
import type { Implementer } from '../implementer.ts'

/** Answers diagnosticsContract, also while the vault is shut. */
export function diagnosticsArea(core: ApiContext, os: Implementer['diagnostics']) {
  return {
    contacts: os.contacts.handler(() => core.contacts()),
    watchLog: os.watchLog.handler(({ signal }) =>
      eventsWithFailures(core.recentLog.watch(signal ?? new AbortController().signal)),
    ),
    report: os.report.handler(async () => ({
      text: faultReport(await core.status(), core.recentLog.entries()),
    })),
  }
}

import { t } from '@lingui/core/macro'
import type { Status } from '../../../shared/status.ts'

/** The name of a service. The sandbox has the interface's word for it. */
export function serviceName({ kind, name }: Status['service']): string {
  return kind === 'sandbox' ? t`Demo mode` : name
}

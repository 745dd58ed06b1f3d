import { t } from '@lingui/core/macro'
import type { Status } from '../../../shared/status.ts'

/** The name of a service. The sandbox has the interface's word for it. */
export function serviceName({ kind, name }: Pick<Status['service'], 'kind' | 'name'>): string {
  return kind === 'sandbox' ? t`Demo mode` : name
}

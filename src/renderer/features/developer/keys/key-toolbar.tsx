import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from './key-toolbar.module.css'
import type { KeyPlace } from './new-key-dialog.tsx'

export type KeyFilter = KeyPlace | 'all'

interface KeyToolbarProps {
  /** Undefined if there are keys of one kind only. */
  filter: KeyFilter | undefined
  onFilter: (filter: KeyFilter) => void
  withRevoked: boolean
  onRevoked: (on: boolean) => void
  onCreate: () => void
}

/** Which keys the list shows, and the button for another one. */
export function KeyToolbar({ filter, onFilter, withRevoked, onRevoked, onCreate }: KeyToolbarProps) {
  return (
    <div className={styles.toolbar}>
      {filter !== undefined && (
        <RadioGroup
          label={t`Works at`}
          name="key-filter"
          segmented
          options={[
            { id: 'all', name: t({ message: 'All', context: 'keys' }) },
            { id: 'computer', name: t`This computer` },
            { id: 'service', name: t`Service` },
          ]}
          chosen={filter}
          onChoose={onFilter}
        />
      )}
      <CheckField label={t`Show revoked`} checked={withRevoked} onTick={onRevoked} />
      <Button kind="primary" className={styles.create} onClick={onCreate}>
        <Plus size={16} strokeWidth={1.75} aria-hidden />
        <Trans>Create key</Trans>
      </Button>
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Project } from '../../../shared/project.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { loadProjects } from '../../ui/project-store.ts'
import { go } from '../../ui/route.ts'
import styles from './projects.module.css'

/** Deletes the project, with its chats or without them. */
export function DeleteProject({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const remove = async (conversations: 'keep' | 'delete') => {
    await api.projects.remove({ projectId: project.id, conversations })
    onDeleted()
    await loadProjects()
    go({ view: 'projects' })
  }
  return (
    <div className={styles.actions}>
      <Button onClick={() => setAsking(true)}>
        <Trans>Delete project…</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Delete project`}
          description={t`Its chats can stay, without a project.`}
          alternative={{
            kind: 'danger',
            button: t`Delete with its chats`,
            busy: t`Deleting…`,
            act: () => remove('delete'),
          }}
          kind="primary"
          button={t`Delete only the project`}
          busy={t`Deleting…`}
          act={() => remove('keep')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

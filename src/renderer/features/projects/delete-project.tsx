import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Project } from '../../../shared/project.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { loadProjects } from '../../ui/project-store.ts'
import { go } from '../../ui/route.ts'
import { useAction } from '../../ui/use-action.ts'
import styles from './projects.module.css'

/** Deletes the project, with its chats or without them. */
export function DeleteProject({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const deleting = useAction(async (conversations: 'keep' | 'delete') => {
    await api.projects.remove({ projectId: project.id, conversations })
    onDeleted()
    await loadProjects()
    go({ view: 'projects' })
  })
  return (
    <div className={styles.actions}>
      <Button onClick={() => setAsking(true)}>
        <Trans>Delete project…</Trans>
      </Button>
      {isAsking && (
        <Dialog
          open
          alert
          onClose={() => setAsking(false)}
          title={t`Delete project`}
          says={t`Its chats can stay, without a project.`}
        >
          {deleting.failure && <FailureNote failure={deleting.failure} />}
          <DialogActions>
            <Button onClick={() => setAsking(false)}>
              <Trans>Cancel</Trans>
            </Button>
            <Button kind="danger" disabled={deleting.busy} onClick={() => void deleting.run('delete')}>
              <Trans>Delete with its chats</Trans>
            </Button>
            <Button kind="primary" disabled={deleting.busy} onClick={() => void deleting.run('keep')}>
              <Trans>Delete only the project</Trans>
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  )
}

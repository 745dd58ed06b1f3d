import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Form } from '../../ui/field.tsx'
import { askAboutProject, useProjects } from '../../ui/project-store.ts'
import { SelectField } from '../../ui/select.tsx'
import { useAction } from '../../ui/use-action.ts'
import { putChanged } from './chat-store.ts'

const close = () => askAboutProject(undefined)

const NONE = ''

/** Moves a conversation to a project, or out of all. */
export function ProjectDialog({
  conversationId,
  title,
  projectId,
}: {
  conversationId: string
  title: string
  projectId: string | undefined
}) {
  const projects = useProjects((state) => state.projects) ?? []
  const [chosen, setChosen] = useState(projectId ?? NONE)
  const moving = useAction(async () => {
    await putChanged(api.projects.move({ conversationId, projectId: chosen === NONE ? null : chosen }))
    close()
  })
  return (
    <Dialog open onClose={close} title={t`Move to project`} says={title}>
      <Form onSubmit={() => void moving.run()}>
        <SelectField label={t`Project`} value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value={NONE}>{t({ message: 'None', context: 'project' })}</option>
          {projects
            .filter(({ damaged }) => damaged !== true)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
        {moving.failure && <FailureNote failure={moving.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={moving.busy && t`Moving…`}>
            <Trans>Move</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

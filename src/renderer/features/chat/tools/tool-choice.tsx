import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import { builtInTools, type BuiltInTool } from '../../../../shared/tool-call.ts'
import { useScope } from '../../../data/service-scope.tsx'
import { useAnswer } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { asFailure } from '../../../ui/failure.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { useDirect } from '../../../ui/status-store.ts'
import { Switch } from '../../../ui/switch.tsx'
import { turnTool } from './chosen-tools.ts'
import { builtInNames } from './tool-names.ts'

interface ChoiceProps {
  /** Absent for a chat that doesn't exist yet. */
  conversationId: string | undefined
  sources: readonly string[]
  inProject: boolean
}

/** A switch for each of Sotto's own tools and each server. */
export function ToolChoice({ conversationId, sources, inProject }: ChoiceProps) {
  const servers = useAnswer({
    key: ['tools.servers'],
    ask: ({ signal }) => api.tools.servers(undefined, { signal }),
  })
  const direct = useDirect()
  const scope = useScope()
  const [refused, setRefused] = useState<Failure>()
  // Not an action, which ignores a press while an earlier one is being saved.
  const turn = (id: string) => {
    setRefused(undefined)
    turnTool(scope, conversationId, id).catch((thrown: unknown) => setRefused(asFailure(thrown)))
  }
  const failure = refused ?? servers.failure
  const offered = [
    ...builtInTools
      .filter((id) => isOffered(id, { inProject, direct }))
      .map((id) => ({ id, label: builtInNames[id], note: undefined })),
    ...(servers.data ?? []).map(({ id, name, networkOff }) => ({
      id,
      label: name,
      note: networkOff ? t`no network access` : t`with network access`,
    })),
  ]
  return (
    <>
      {offered.map(({ id, label, note }) => (
        <Switch
          key={id}
          label={label}
          {...(note !== undefined && { note })}
          on={sources.includes(id)}
          onTurn={() => turn(id)}
        />
      ))}
      <p>
        <Trans>
          The model decides when to call a tool. Before a call sends or changes anything, you see its exact
          arguments and decide.
        </Trans>
      </p>
      <p>
        <Trans>A reply with tools sends several requests, and each one costs.</Trans>
      </p>
      {failure && <FailureNote failure={failure} />}
    </>
  )
}

function isOffered(id: BuiltInTool, { inProject, direct }: { inProject: boolean; direct: boolean }): boolean {
  if (id === 'project-files') return inProject
  // Both need a service.
  return !direct || (id !== 'web-search' && id !== 'make-image')
}

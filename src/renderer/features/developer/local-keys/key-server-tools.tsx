import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { CheckField } from '../../../ui/check-field.tsx'
import grouped from '../../../ui/grouped-form.module.css'
import { loadProjects, useProjects } from '../../../ui/project-store.ts'
import { SelectField } from '../../../ui/select.tsx'
import type { ServerToolsProps } from '../../../ui/keys/key-limit-fields.tsx'

/** The tools that Sotto runs within the requests of a key. */
export function KeyServerTools({ draft: { webSearch, knowledge }, onChange }: ServerToolsProps) {
  const projects = useProjects((state) => state.projects)
  useEffect(() => void loadProjects(), [])
  const isListed = knowledge === '' || projects?.some(({ id }) => id === knowledge) === true
  return (
    <fieldset className={grouped.group}>
      <legend>
        <Trans>Server tools</Trans>
      </legend>
      <p className={grouped.hint}>
        <Trans>Models can call these tools. Sotto runs them after you allow each call in this window.</Trans>
      </p>
      <CheckField
        label={t`Web search`}
        hint={t`You see each query before it’s sent unencrypted. Searches count in the key’s budget.`}
        checked={webSearch}
        onTick={(on) => onChange({ webSearch: on })}
      />
      <SelectField
        label={t`Project documents`}
        value={knowledge}
        onChange={(event) => onChange({ knowledge: event.target.value })}
        hint={t`With a private-only project, the key can only use private models, and no web search.`}
      >
        <option value="">{t`No project`}</option>
        {!isListed && <option value={knowledge}>{t`Unknown project`}</option>}
        {projects?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </fieldset>
  )
}

import { useState } from 'react'
import { ComboboxField } from '../../../src/renderer/ui/combobox-field.tsx'
import { DropZone } from '../../../src/renderer/ui/drop-zone.tsx'
import { Field } from '../../../src/renderer/ui/field.tsx'
import { Select, SelectField } from '../../../src/renderer/ui/select.tsx'
import { SliderField } from '../../../src/renderer/ui/slider-field.tsx'
import { TextAreaField } from '../../../src/renderer/ui/text-area-field.tsx'

const models = ['sandbox-large', 'sandbox-small', 'sandbox-vision']
const nameFault = 'This name is in use. Choose another.'

/** Every input, at rest, filled, with a fault and turned off. */
export function Fields() {
  const [model, setModel] = useState('')
  const [committed, setCommitted] = useState('')
  const [number, setNumber] = useState('0.6')
  const [unset, setUnset] = useState('')
  const [names, setNames] = useState<readonly string[]>([])
  const choices = (
    <>
      <option>Daily</option>
      <option>Monthly</option>
    </>
  )
  return (
    <section aria-label="Fields">
      <h2>Fields</h2>
      <div className="gallery-fields">
        <Field label="Empty name" placeholder="Nightly report" />
        <Field label="Name" defaultValue="Nightly report" hint="Shown in Requests." />
        <Field label="Wrong name" defaultValue="Claude Code" fault={nameFault} />
        <Field label="Locked name" defaultValue="Nightly report" disabled />
        <SelectField label="Period">{choices}</SelectField>
        <SelectField label="Wrong period" fault="Choose a period.">
          {choices}
        </SelectField>
        <SelectField label="Locked period" disabled>
          {choices}
        </SelectField>
        <Select aria-label="Period without a label">{choices}</Select>
        <ComboboxField
          label="Model"
          value={model}
          options={models}
          placeholder="All models"
          onChange={setModel}
          onCommit={setCommitted}
          hint={`Committed: ${committed || 'nothing'}`}
        />
        <ComboboxField
          label="Wrong model"
          value="gone"
          options={models}
          onChange={setModel}
          fault={nameFault}
        />
        <SliderField label="Temperature" min={0} max={2} step={0.1} value={number} onChange={setNumber} />
        <SliderField
          label="Top P"
          min={0}
          max={1}
          step={0.05}
          rest={1}
          unset="Service default"
          value={unset}
          onChange={setUnset}
        />
        <SliderField
          label="Wrong number"
          min={0}
          max={2}
          step={1}
          value="9"
          onChange={setUnset}
          fault="Enter a number from 0 to 2."
        />
        <SliderField label="Locked number" min={0} max={2} step={1} value="1" onChange={setUnset} disabled />
        <TextAreaField label="Prompt" rows={3} defaultValue="Say it quietly." hint="One idea per sentence." />
        <TextAreaField label="Wrong prompt" rows={3} fault="Enter a prompt." />
      </div>
      <div className="gallery-fields">
        <DropZone
          label="Backup file"
          hint="A JSON file, up to 1 MB."
          onFiles={(files) => setNames(files.map(({ name }) => name))}
          names={names}
        />
        <DropZone label="Missing file" fault="Choose a backup file." onFiles={() => undefined} />
        <DropZone label="Chosen files" takes="files" onFiles={() => undefined} names={['a.csv', 'b.csv']} />
        <DropZone label="Folder" takes="folder" onFiles={() => undefined} />
        <DropZone label="Locked file" disabled onFiles={() => undefined} />
      </div>
    </section>
  )
}

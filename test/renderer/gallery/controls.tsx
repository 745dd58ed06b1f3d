import { Copy, Pin } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Button, IconButton } from '../../../src/renderer/ui/button.tsx'
import { CheckField } from '../../../src/renderer/ui/check-field.tsx'
import { CopyButton } from '../../../src/renderer/ui/copy-button.tsx'
import { Menu } from '../../../src/renderer/ui/menu.tsx'
import { PrivacyDisc, PrivacyMark } from '../../../src/renderer/ui/privacy-mark.tsx'
import { RadioGroup } from '../../../src/renderer/ui/radio-group.tsx'
import { Segments } from '../../../src/renderer/ui/segments.tsx'
import { Switch } from '../../../src/renderer/ui/switch.tsx'
import { privacyWords } from '../../../src/shared/privacy.ts'

type Kind = NonNullable<ComponentProps<typeof Button>['kind']>
const kinds: readonly Kind[] = ['primary', 'secondary', 'ghost', 'danger', 'link']
const ways = [
  { id: 'lightning', name: 'Lightning' },
  { id: 'bitcoin', name: 'Bitcoin' },
  { id: 'monero', name: 'Monero' },
] as const
type Way = (typeof ways)[number]['id']

/** Buttons, choices and the marks of the privacy state. */
export function Controls() {
  const [way, setWay] = useState<Way>('lightning')
  const [on, setOn] = useState(true)
  return (
    <>
      <section aria-label="Buttons">
        <h2>Buttons</h2>
        {kinds.map((kind) => (
          <div key={kind} className="gallery-line">
            <Button kind={kind}>Create key</Button>
            <Button kind={kind} disabled>
              Create key
            </Button>
            <Button kind={kind} busy="Creating…">
              Create key
            </Button>
            <Button kind={kind} waits>
              Create key
            </Button>
          </div>
        ))}
        <div className="gallery-line">
          <IconButton label="Copy">
            <Copy size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label="Pin" aria-pressed>
            <Pin size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <IconButton label="Unpin" disabled>
            <Pin size={16} strokeWidth={1.75} aria-hidden />
          </IconButton>
          <CopyButton label="Copy text" text={() => 'Copied'} word />
          <Menu
            label="More actions"
            items={[
              { name: 'Rename', choose: () => undefined },
              { name: 'Delete', choose: () => undefined, danger: true },
            ]}
          />
        </div>
      </section>
      <section aria-label="Choices">
        <h2>Choices</h2>
        <Segments label="Payment method" options={ways} chosen={way} onPress={setWay} />
        <RadioGroup label="Method" name="row" options={ways} chosen={way} onChoose={setWay} segmented />
        <RadioGroup
          label="Methods"
          name="list"
          options={ways.map((each) => ({ ...each, disabled: each.id === 'monero' }))}
          chosen={way}
          onChoose={setWay}
        />
        <div className="gallery-fields">
          <Switch label="Automatic top-up" on={on} onTurn={() => setOn(!on)} />
          <Switch label="Turned off" on={false} onTurn={() => undefined} disabled />
          <CheckField label="Save receipts" hint="They contain no prompts." checked={on} onTick={setOn} />
          <CheckField label="Save prompts" checked={!on} onTick={(ticked) => setOn(!ticked)} />
        </div>
      </section>
      <section aria-label="Privacy">
        <h2>Privacy</h2>
        <div className="gallery-line">
          {privacyWords.map((privacy) => (
            <PrivacyMark key={privacy} privacy={privacy} />
          ))}
          {privacyWords.map((privacy) => (
            <PrivacyDisc key={privacy} privacy={privacy} />
          ))}
        </div>
      </section>
    </>
  )
}

import tokens from '../../../src/renderer/ui/style/tokens.css?raw'

/** The names of the tokens whose value begins with `start`, as tokens.css has them. */
function tokenNames(start: RegExp): readonly string[] {
  const names = [...tokens.matchAll(/^ {2}--([\w-]+): (.+)/gm)]
    .filter(([, , value = '']) => start.test(value))
    .map(([, name = '']) => name)
  return [...new Set(names)]
}

const colors = tokenNames(/^(?:light-dark\(|#)/)
const types = tokenNames(/^\d{3} [\d.]+rem/)

/** The type scale and the palette. Both are read from tokens.css, so none can be missing. */
export function Tokens() {
  return (
    <>
      <section aria-label="Type">
        <h2>Type</h2>
        <div className="gallery-type">
          {types.map((name) => (
            <div key={name}>
              <code>{name}</code>
              <p style={{ font: `var(--${name})` }}>Only the verified enclave can read this</p>
            </div>
          ))}
        </div>
      </section>
      <section aria-label="Colors">
        <h2>Colors</h2>
        <div className="gallery-colors">
          {colors.map((name) => (
            <div key={name} data-token={name}>
              <span style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </div>
          ))}
        </div>
      </section>
    </>
  )
}

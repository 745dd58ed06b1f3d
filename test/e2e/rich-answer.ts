/** An answer with everything that an answer may hold. */
export const everything = `The energy of rest is $E = mc^2$, a coffee costs $3 and a cake $5, and \\(a_1 * b_1\\) has no emphasis.

$$
\\begin{aligned}
f(x) &= \\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx \\\\
- g &+ \\sqrt{\\pi}
\\end{aligned}
$$

1. In a list:
   $$
   x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
   $$
2. After it.

Broken: $\\frac{1}{$ stays text. Said twice[^one], and once more[^two].

\`\`\`ts
/** Says
 *  hello. */
export function hello(name: string): string {
  return \`Hello, \${name}\` // a long line that goes on and on, so that it is wider than the place which an answer has in a narrow window
}
\`\`\`

\`\`\`mermaid
flowchart LR
  A[Window] --> B{Proven?}
  B -->|yes| C[Sealed]
  B -->|no| D[Refused]
\`\`\`

[^one]: The first note, with *emphasis*.
[^two]: The second note, with $\\pi$.
`

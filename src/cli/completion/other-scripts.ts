import { allCommands, type CommandOutline } from './command-outline.ts'

/** Quotes a single word for fish, which interprets only \\ and \' within single quotes. */
function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Renders the completion script for fish 3. */
export function fishScript(root: CommandOutline): string {
  const commands = allCommands(root)
  const lines = commands.flatMap((command) => {
    const at = `-n ${quoteForFish(`test (__sotto_command) = ${quoteForFish(command.path)}`)}`
    const offered = [
      ...command.commands.map(({ name, summary }) => `-a ${quoteForFish(name)} -d ${quoteForFish(summary)}`),
      ...(command.choices.length > 0 ? [`-a ${quoteForFish(command.choices.join(' '))}`] : []),
    ]
    return [
      // Offers files only if an argument can be a file.
      ...(offered.length > 0 || !command.takesArguments ? [`complete -c sotto -f ${at}`] : []),
      ...offered.map((word) => `complete -c sotto -f ${at} ${word}`),
      ...command.options.map(({ long, short, takesValue, choices, description }) =>
        [
          `complete -c sotto ${at} -l ${quoteForFish(long.slice(2))}`,
          ...(short === undefined ? [] : [`-s ${quoteForFish(short.slice(1))}`]),
          ...(choices.length > 0 ? [`-xa ${quoteForFish(choices.join(' '))}`] : takesValue ? ['-r'] : []),
          `-d ${quoteForFish(description)}`,
        ].join(' '),
      ),
    ]
  })
  return `# Completion of sotto for fish. To install it: sotto completion fish > ~/.config/fish/completions/sotto.fish
function __sotto_command
  set -l at sotto
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${commands
        .slice(1)
        .map(({ path }) => quoteForFish(path))
        .join(' ')}
        set at "$at $word"
    end
  end
  echo $at
end
${lines.join('\n')}
`
}

/**
 * Quotes a single word for PowerShell. It also ends a text at typographic quotes, so all quotes are doubled.
 */
function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}

/** Renders the completion script for Windows PowerShell 5.1 and PowerShell 7. */
export function powerShellScript(root: CommandOutline): string {
  const commands = allCommands(root)
  const list = (texts: readonly string[]): string => `@(${texts.map(quoteForPowerShell).join(', ')})`
  const rows = commands.map((command) => {
    const options = command.options.flatMap(({ long, short }) =>
      short === undefined ? [long] : [long, short],
    )
    const offered = [...command.commands.map(({ name }) => name), ...command.choices]
    return `    ${quoteForPowerShell(command.path)} = @{ Options = ${list(options)}; Names = ${list(offered)} }`
  })
  const values = commands.flatMap((command) =>
    command.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `    ${quoteForPowerShell(`${command.path} ${long}`)} = ${list(choices)}`),
  )
  return `# Completion of sotto for PowerShell. To install it, add this to $PROFILE:
#   sotto completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sotto -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = @{
${rows.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
  $at = 'sotto'
  foreach ($each in ($before | Select-Object -Skip 1)) {
    if ($commands.ContainsKey("$at $each")) { $at = "$at $each" }
  }
  $found = $values["$at $($before[-1])"]
  if (-not $found) {
    if ($word -like '-*') { $found = $commands[$at].Options } else { $found = $commands[$at].Names }
  }
  $found | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}

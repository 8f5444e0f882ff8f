import { renderMermaidSVG } from 'beautiful-mermaid'

/** The colours are those of the page, so that a diagram follows it into the dark; it loads no letters from elsewhere. */
const COLOURS = {
  bg: 'var(--paper)',
  fg: 'var(--ink)',
  muted: 'var(--faint)',
  line: 'var(--faint)',
  accent: 'var(--accent)',
  surface: 'var(--raised)',
  border: 'var(--rule)',
}

export function drawDiagram(text: string): string {
  const svg = renderMermaidSVG(text, { ...COLOURS, transparent: true, padding: 8, nodeSpacing: 48, layerSpacing: 56 })
  return svg
    .replace(/@import url\([^)]*\);?/g, '')
    .replace(/font-family: [^;]*;/g, 'font-family: inherit;')
    .replace('<svg ', '<svg role="img" ')
}

import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive. `claimed` replaces the sizes that its entries declare. */
export function zipOf(files: Record<string, string | Buffer>, claimed?: number): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const data = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(claimed ?? bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(centrals.length, 8)
  end.writeUInt16LE(centrals.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

/** The parts of a workbook with one sheet of texts. */
export function workbookParts(rows: string[][], sheet = 'Rules'): Record<string, string> {
  const cells = rows.map((row, r) => {
    const texts = row.map(
      (text, c) => `<c r="${String.fromCharCode(65 + c)}${r + 1}" t="inlineStr"><is><t>${text}</t></is></c>`,
    )
    return `<row r="${r + 1}">${texts.join('')}</row>`
  })
  return {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook><sheets><sheet name="${sheet}" sheetId="1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}</sheetData></worksheet>`,
  }
}

/** A PDF of one page. Lines of size 20 are headings of a text of size 10; `spacing` is in sizes. */
export function pdfOf(lines: { text: string; size?: number; spacing?: number }[]): Buffer {
  let y = 760
  const drawn = lines.map(({ text, size = 10, spacing = 2.5 }) => {
    y -= size * spacing
    return `BT /F1 ${size} Tf 50 ${y} Td (${text}) Tj ET`
  })
  const content = drawn.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  return Buffer.from(
    `${body}${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`,
  )
}

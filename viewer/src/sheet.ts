// What is saved: the picture with what stands over it on the page (legend, scale), its title and its time.

export interface Over {
  title: string;
  time: string;
  elements: HTMLElement[];
  ink: string;
}

const MARGIN = 10, FONT = '13px system-ui, sans-serif'; // px of the page

export class Sheet {
  readonly canvas = document.createElement('canvas');
  private context = this.canvas.getContext('2d')!;

  /** `over`: nothing, and the sheet is the picture alone. The picture must have been drawn in this very task. */
  draw(picture: HTMLCanvasElement, over: Over | null) {
    const { canvas, context } = this, { width, height } = picture;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(picture, 0, 0);
    if (!over) return;
    const box = picture.getBoundingClientRect(), ratio = width / box.width;
    context.setTransform(ratio, 0, 0, ratio, -ratio * box.left, -ratio * box.top);
    for (const element of over.elements) this.paint(element);
    Object.assign(context, { font: FONT, fillStyle: over.ink, textBaseline: 'top', textAlign: 'right' });
    context.fillText(over.time, box.right - MARGIN, box.top + MARGIN);
    const room = box.width - 3 * MARGIN - context.measureText(over.time).width;
    context.textAlign = 'left';
    if (room > 0) context.fillText(over.title, box.left + MARGIN, box.top + MARGIN, room);
  }

  // Boxes, canvases and words where the page has them.
  private paint(element: HTMLElement) {
    const { context } = this, style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (!box.width || style.display === 'none') return;
    context.fillStyle = style.backgroundColor;
    context.fillRect(box.left, box.top, box.width, box.height);
    if (element instanceof HTMLCanvasElement) return context.drawImage(element, box.left, box.top, box.width, box.height);
    for (const child of element.childNodes) {
      if (child instanceof HTMLElement) this.paint(child);
      else if (child instanceof Text) this.write(child, style);
    }
  }

  // Word by word: lines are broken as on the page.
  private write(text: Text, style: CSSStyleDeclaration) {
    const { context } = this, range = document.createRange();
    Object.assign(context, { font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`, fillStyle: style.color, textAlign: 'left', textBaseline: 'middle' });
    for (const word of text.data.matchAll(/\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const box = range.getBoundingClientRect();
      context.fillText(word[0], box.left, (box.top + box.bottom) / 2);
    }
  }
}

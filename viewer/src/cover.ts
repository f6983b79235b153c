// Which balls of many can be seen: in a pile nine of ten are behind others, and each costs as much to set up as one in front.
//
// The picture is a grid of cells. From the nearest ball on, a cell that lies within a ball is closed at its depth; a ball all of whose cells
// are closed in front of it is left out. Nothing that can be seen is: a cell that is partly covered stays open. Small disks are shaded at the
// middles of pixels only: there a cell is a pixel, and its middle stands for it.

export interface View {
  toClip: ArrayLike<number>; // projection times view, by columns
  depth: ArrayLike<number>; // row of the view that gives minus the depth
  scale: number; // px of a radius of 1 m where w is 1
  width: number; // px
  height: number;
  clip: { x: number; y: number; z: number; w: number }; // cut away where x, y, z times the place is more than w
}

const BUCKETS = 2048;
const FINE = 6; // px: mean radius up to which a cell is a pixel
const TILE = 8; // cells: of a square of them it is known whether all are closed
const DOUBT = 0.1; // px: round-off of the graphics card

export class Cover {
  private depth: Float32Array;
  private shown: Uint32Array; // of the balls in the view
  private order: Uint32Array;
  private screen: Float32Array; // x, y, radius, px
  private closed = new Float32Array(0);
  private left = new Uint8Array(0); // by tile: cells that are open
  private deepest = new Float32Array(0); // by tile: of those that are closed
  private tileColumns = 0;
  private columns = 0;
  private lines = 0;
  private cell = 1;
  private part = 0; // half a cell, in cells, where all of it counts; 0 where its middle does

  constructor(private rows: Float32Array, private radii: Float32Array) {
    const count = rows.length;
    this.depth = new Float32Array(count);
    this.shown = new Uint32Array(count);
    this.order = new Uint32Array(count);
    this.screen = new Float32Array(3 * count);
  }

  /** Numbers of the balls that may be seen, nearest first, in `out`; returns how many. `flat`: they are drawn as disks as deep as their centres, which a cut
   *  takes as a whole. */
  find(view: View, place: Float32Array, flat: boolean, out: Uint32Array): number {
    const count = this.project(view, place, flat), { cell, depth, order, radii, rows, screen } = this, { clip } = view;
    this.openAll();
    let found = 0;
    for (let n = 0; n < count; n++) {
      const i = order[n], x = screen[3 * i] / cell, y = screen[3 * i + 1] / cell, r = screen[3 * i + 2] / cell;
      if (!this.isOpen(x, y, r, depth[i] - (flat ? 0 : radii[i]))) continue;
      out[found++] = i;
      const at = 4 * rows[i];
      const isWhole = flat || clip.x * place[at] + clip.y * place[at + 1] + clip.z * place[at + 2] + radii[i] <= clip.w;
      if (isWhole) this.close(x, y, r, depth[i]);
    }
    return found;
  }

  /** Balls in the view, where they are on the screen, and their order: how many. */
  private project({ toClip: m, depth: d, scale, width, height, clip }: View, place: Float32Array, flat: boolean): number {
    const { rows, radii, depth, screen, shown } = this;
    let count = 0, low = Infinity, high = -Infinity, sum = 0;
    for (let i = 0; i < rows.length; i++) {
      const at = 4 * rows[i], x = place[at], y = place[at + 1], z = place[at + 2], radius = radii[i];
      if (!place[at + 3] || clip.x * x + clip.y * y + clip.z * z - (flat ? 0 : radius) > clip.w) continue;
      const w = m[3] * x + m[7] * y + m[11] * z + m[15], near = -(d[0] * x + d[1] * y + d[2] * z + d[3]);
      if (near + radius <= 0 || w <= 0) continue;
      const px = (0.5 + (0.5 * (m[0] * x + m[4] * y + m[8] * z + m[12])) / w) * width;
      const py = (0.5 - (0.5 * (m[1] * x + m[5] * y + m[9] * z + m[13])) / w) * height, r = (scale * radius) / w;
      // Off the middle a ball in perspective is seen a little larger than r.
      if (px + 2 * r < 0 || px - 2 * r > width || py + 2 * r < 0 || py - 2 * r > height) continue;
      screen[3 * i] = px;
      screen[3 * i + 1] = py;
      screen[3 * i + 2] = r;
      depth[i] = near;
      if (near < low) low = near;
      if (near > high) high = near;
      sum += r;
      shown[count++] = i;
    }
    const mean = sum / Math.max(1, count), fine = flat && mean < FINE;
    this.cell = fine ? 1 : Math.min(4, Math.max(1, mean / 3));
    this.part = fine ? 0 : 0.5;
    this.columns = Math.ceil(width / this.cell);
    this.lines = Math.ceil(height / this.cell);
    this.sort(count, low, high);
    return count;
  }

  private openAll() {
    const { columns, lines } = this, tileLines = Math.ceil(lines / TILE);
    this.tileColumns = Math.ceil(columns / TILE);
    if (this.closed.length !== columns * lines) {
      this.closed = new Float32Array(columns * lines);
      this.left = new Uint8Array(this.tileColumns * tileLines);
      this.deepest = new Float32Array(this.tileColumns * tileLines);
    }
    this.closed.fill(Infinity);
    this.deepest.fill(-Infinity);
    for (let j = 0; j < tileLines; j++)
      for (let i = 0; i < this.tileColumns; i++)
        this.left[this.tileColumns * j + i] = Math.min(TILE, columns - TILE * i) * Math.min(TILE, lines - TILE * j);
  }

  private sort(count: number, low: number, high: number) {
    const { depth, shown, order } = this, scale = (BUCKETS - 1) / Math.max(high - low, 1e-30), begin = new Uint32Array(BUCKETS + 1);
    for (let n = 0; n < count; n++) begin[1 + Math.floor((depth[shown[n]] - low) * scale)]++;
    for (let k = 0; k < BUCKETS; k++) begin[k + 1] += begin[k];
    for (let n = 0; n < count; n++) order[begin[Math.floor((depth[shown[n]] - low) * scale)]++] = shown[n];
  }

  private isOpen(x: number, y: number, r: number, front: number): boolean {
    const { closed, columns, part } = this, outer = Math.max(r, 0.5) + DOUBT / this.cell;
    const top = Math.max(0, Math.ceil(y - outer - part - 0.5)), bottom = Math.min(this.lines - 1, Math.floor(y + outer + part - 0.5));
    if (this.areTilesClosed(x - outer - part, x + outer + part, top, bottom, front)) return false;
    for (let j = top; j <= bottom; j++) {
      const away = Math.max(0, Math.abs(j + 0.5 - y) - part), reach = Math.sqrt(Math.max(0, outer * outer - away * away)) + part;
      const right = Math.min(columns - 1, Math.floor(x + reach - 0.5));
      for (let i = Math.max(0, Math.ceil(x - reach - 0.5)); i <= right; i++) if (closed[columns * j + i] > front) return true;
    }
    return false;
  }

  private areTilesClosed(from: number, to: number, top: number, bottom: number, front: number): boolean {
    const { left, deepest, tileColumns } = this, first = Math.max(0, Math.floor(from / TILE)), last = Math.min(tileColumns - 1, Math.floor(to / TILE));
    for (let j = Math.floor(top / TILE); j * TILE <= bottom; j++)
      for (let i = first; i <= last; i++) if (left[tileColumns * j + i] || deepest[tileColumns * j + i] > front) return false;
    return true;
  }

  private close(x: number, y: number, r: number, depth: number) {
    const { closed, columns, tileColumns, part } = this, inner = r - (part ? 0.5 + DOUBT : DOUBT) / this.cell;
    const top = Math.max(0, Math.ceil(y - inner - 0.5)), bottom = Math.min(this.lines - 1, Math.floor(y + inner - 0.5));
    for (let j = top; j <= bottom; j++) {
      const away = Math.abs(j + 0.5 - y) + part, square = inner * inner - away * away;
      if (square < 0) continue;
      const reach = Math.sqrt(square) - part, right = Math.min(columns - 1, Math.floor(x + reach - 0.5));
      for (let i = Math.max(0, Math.ceil(x - reach - 0.5)); i <= right; i++) {
        const cell = columns * j + i;
        if (closed[cell] <= depth) continue;
        if (closed[cell] === Infinity) {
          const tile = tileColumns * Math.floor(j / TILE) + Math.floor(i / TILE);
          this.left[tile]--;
          if (depth > this.deepest[tile]) this.deepest[tile] = depth;
        }
        closed[cell] = depth;
      }
    }
  }
}

// Threads, collections, formatting, enums, panics.
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Circle(f64),
    Rectangle { width: u32, height: u32 },
    Nothing,
}

trait Measure {
    fn measure(&self) -> Option<u8>;
}

impl Measure for Shape {
    fn measure(&self) -> Option<u8> {
        match self {
            Shape::Circle(radius) => Some(*radius as u8),
            Shape::Rectangle { width, .. } => Some(*width as u8),
            Shape::Nothing => None,
        }
    }
}

static COUNT: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    static LOCAL: std::cell::RefCell<Vec<i32>> = Default::default();
}

fn main() {
    let map = Arc::new(Mutex::new(HashMap::new()));
    let handles: Vec<_> = (0..4)
        .map(|i| {
            let map = map.clone();
            thread::spawn(move || {
                map.lock().unwrap().insert(i, format!("{i:?}"));
                COUNT.fetch_add(1, Ordering::SeqCst);
                LOCAL.with(|local| local.borrow_mut().push(i));
            })
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
    let (sender, receiver) = mpsc::channel::<Box<dyn Measure + Send>>();
    sender.send(Box::new(Shape::Nothing)).unwrap();
    println!("{:?} {map:?}", receiver.recv().unwrap().measure());
    let mut tree = BTreeMap::new();
    tree.insert("a", 1u128);
    let queue: VecDeque<char> = ['x'].into();
    let text: String = queue.iter().collect();
    let shapes = [Shape::Rectangle { width: 1, height: 2 }, Shape::Circle(1.5)];
    println!("{text} {tree:?} {shapes:?}");
    let caught = std::panic::catch_unwind(|| {
        let nothing: Vec<i32> = vec![];
        nothing[0]
    });
    println!("{caught:?} {}", (COUNT.load(Ordering::Relaxed) as i128).wrapping_mul(3));
}
